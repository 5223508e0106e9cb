import { copyButton } from './copy-button.ts'
import { type Child, div, h } from './h.ts'

/** A list of names and values. Undefined values are omitted. */
export function facts(rows: readonly (readonly [name: string, value: Child])[]): HTMLElement {
  const present = rows.filter(([, value]) => value !== undefined)
  return h(
    'dl.facts',
    present.map(([name, value]) => div(h('dt', name), h('dd', value))),
  )
}

/** A complete key in a monospace font. */
export const codeElement = (text: string) => h('code', text)

/** The first and last characters of a key, for tables; the tooltip has the complete key. */
export function shortKey(key: string): HTMLElement {
  return h('code', { title: key }, key.length > 20 ? `${key.slice(0, 8)}…${key.slice(-6)}` : key)
}

/** A key with a button that copies it. `shown` replaces the complete key. */
export function copied(key: string, shown = codeElement(key)): HTMLElement {
  return h(
    'span.copied',
    shown,
    ' ',
    copyButton(() => key),
  )
}
