import { fill, h } from './h.ts'

interface NewsLine {
  readonly element: HTMLElement
  /** Shows sentences, each a paragraph, instead of those before. */
  tell(...texts: readonly (string | undefined)[]): void
}

/** A line below the title for what is learned while a page loads; readers of the screen hear it. */
export function newsLine(): NewsLine {
  const element = h('div', { role: 'status' })
  return {
    element,
    tell: (...texts) =>
      fill(
        element,
        texts.map((text) => text && h('p', { class: 'note' }, text)),
      ),
  }
}
