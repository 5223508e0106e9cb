import { fill, h } from './h.ts'

interface NewsLine {
  readonly element: HTMLElement
  /** Replaces the content with one paragraph per sentence. */
  tell(...texts: readonly (string | undefined)[]): void
}

/** A status line below the title for messages during loading. Screen readers announce it. */
export function newsLine(): NewsLine {
  const element = h('div', { role: 'status' })
  return {
    element,
    tell: (...texts) =>
      fill(
        element,
        texts.map((text) => text && h('p.note', text)),
      ),
  }
}
