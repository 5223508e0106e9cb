import { copyButton } from '../parts/copy-button.ts'
import { fill, h } from '../parts/h.ts'
import { refusal } from '../parts/panel.ts'
import { indentedJson } from '../values/pretty-json.ts'
import type { Answer } from './ask.ts'

/** The panel with the response. */
export function answerView() {
  const facts = h('p.quiet.answer-facts', { role: 'status' }, 'No query was sent yet.')
  const text = h('pre', { tabindex: '0', role: 'group', 'aria-label': 'Reply of the server' })
  const title = h(
    'div.title',
    h('h2', 'Reply'),
    copyButton(() => text.textContent ?? ''),
  )
  const element = h('section.panel', { 'aria-label': 'Reply' }, title, facts, text)
  return {
    element,
    waiting(): void {
      element.setAttribute('aria-busy', 'true')
      fill(facts, 'Running…')
    },
    show({ status, ms, bytes, snapshot, text: body }: Answer): void {
      element.removeAttribute('aria-busy')
      const outcome = [`Status ${status}`, `${Math.round(ms)} ms`, sizeText(bytes)]
      fill(facts, [...outcome, ...(snapshot === null ? [] : [`snapshot ${snapshot}`])].join(' · '))
      fill(text, indentedJson(body))
      if (element.getBoundingClientRect().top > innerHeight) element.scrollIntoView()
    },
    /** Shows the error and a button that calls `again`. */
    refuse(error: unknown, again: () => void): void {
      element.removeAttribute('aria-busy')
      fill(facts)
      fill(text, refusal(error, again))
    },
  }
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`
}
