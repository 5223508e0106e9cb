type Attributes = Readonly<Record<string, string | number>>

/** An element of a drawing, with attributes and children. */
export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes,
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  element.append(...children)
  return element
}

/** A drawing with what it says in words, so that its elements are not read. */
export function drawing(
  name: string,
  [width, height]: readonly [number, number],
  words: string,
  ...children: readonly Node[]
): SVGSVGElement {
  return svg(
    'svg',
    { class: name, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': words },
    ...children,
  )
}
