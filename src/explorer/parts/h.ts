export type Child = Node | string | undefined | readonly Child[]

type Handler = (event: Event) => void
type Properties = Readonly<Record<string, string | boolean | Handler | undefined>>

/**
 * Creates an element from a tag with classes (`p.note`), optional attributes and event handlers (functions, by event name), and
 * children. Text is never parsed as HTML.
 */
export function h<Name extends keyof HTMLElementTagNameMap>(
  selector: Name | `${Name}.${string}`,
  first?: Properties | Child,
  ...more: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const [name, ...classes] = selector.split('.')
  const element = document.createElement(name as Name)
  if (classes.length > 0) element.className = classes.join(' ')
  const [properties, child] = isProperties(first) ? [first] : [{}, first]
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(key, value)
    else if (typeof value === 'string') element.setAttribute(key, value)
    else if (value === true) element.setAttribute(key, '')
  }
  fill(element, child, more)
  return element
}

function isProperties(first: Properties | Child): first is Properties {
  return typeof first === 'object' && !(first instanceof Node) && !Array.isArray(first)
}

export const div = (...children: readonly Child[]) => h('div', children)

export const paragraph = (...children: readonly Child[]) => h('p', children)

/** A paragraph in small, muted text. */
export const quiet = (...children: readonly Child[]) => h('p.quiet', children)

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
