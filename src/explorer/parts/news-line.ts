import { fill, h } from './h.ts'

/** A status line below the title for messages during loading. Screen readers announce it. */
export function newsLine() {
  const element = h('div', { role: 'status' })
  return {
    element,
    /** Replaces the content with one paragraph per sentence. */
    tell: (...texts: readonly (string | undefined)[]) =>
      fill(
        element,
        texts.map((text) => text && h('p.note', text)),
      ),
  }
}
