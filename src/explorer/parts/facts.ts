import { copyButton } from './copy-button.ts'
import { type Child, div, h } from './h.ts'

/** Names with values under each other; those without a value are left out. */
export function facts(rows: readonly (readonly [name: string, value: Child])[]): HTMLElement {
  const present = rows.filter(([, value]) => value !== undefined)
  return h(
    'dl',
    { class: 'facts' },
    present.map(([name, value]) => div(h('dt', {}, name), h('dd', {}, value))),
  )
}

/** A key, whole, in letters of one width. */
export const codeElement = (text: string) => h('code', {}, text)

/** The ends of a key, for places where it only has to be told from others. */
export function shortKey(key: string): HTMLElement {
  const text = key.length > 20 ? `${key.slice(0, 8)}…${key.slice(-6)}` : key
  return h('code', { title: key }, text)
}

/** A key with a button that copies it. */
export function copied(key: string): HTMLElement {
  return h(
    'span',
    { class: 'copied' },
    codeElement(key),
    ' ',
    copyButton(() => key),
  )
}
