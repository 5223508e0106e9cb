export type Child = Node | string | undefined | readonly Child[]

type Handler = (event: Event) => void
type Properties = Readonly<Record<string, string | boolean | Handler | undefined>>

/**
 * Creates an element with attributes, event handlers (functions, by event name) and children. Text is never parsed as
 * HTML.
 */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(key, value)
    else if (typeof value === 'string') element.setAttribute(key, value)
    else if (value === true) element.setAttribute(key, '')
  }
  element.append(...nodesOf(children))
  return element
}

export const div = (...children: readonly Child[]) => h('div', {}, ...children)

export const paragraph = (...children: readonly Child[]) => h('p', {}, ...children)

/** A paragraph in small, muted text. */
export const quiet = (...children: readonly Child[]) => h('p', { class: 'quiet' }, ...children)

/** Replaces the children of an element. */
export function fill(element: HTMLElement, ...children: readonly Child[]): void {
  element.replaceChildren(...nodesOf(children))
}

function nodesOf(children: readonly Child[]): readonly (Node | string)[] {
  return children.flatMap((child) => {
    if (child === undefined) return []
    return child instanceof Node || typeof child === 'string' ? [child] : nodesOf(child)
  })
}
