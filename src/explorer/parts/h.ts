export type Child = Node | string | undefined | readonly Child[]

type Handler = (event: Event) => void
type Properties = Readonly<Record<string, string | boolean | Handler | undefined>>

/** An element with attributes, handlers of events (functions, by the name of the event) and children; text is never read as HTML. */
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

/** A paragraph in small soft letters. */
export const quiet = (...children: readonly Child[]) => h('p', { class: 'quiet' }, ...children)

/** Puts children in the place of those that an element has. */
export function fill(element: HTMLElement, ...children: readonly Child[]): void {
  element.replaceChildren(...nodesOf(children))
}

function nodesOf(children: readonly Child[]): readonly (Node | string)[] {
  return children.flatMap((child) => {
    if (child === undefined) return []
    return child instanceof Node || typeof child === 'string' ? [child] : nodesOf(child)
  })
}
