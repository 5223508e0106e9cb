import { jsonLanguage } from '@codemirror/lang-json'
import { classHighlighter, highlightCode } from '@lezer/highlight'
import { type Child, fill, h } from '../parts/h.ts'
import { refusal } from '../parts/panel.ts'
import { indentedJson } from '../values/pretty-json.ts'
import type { Answer } from './ask.ts'

/** A longer text has no colours, so that it is there at once. */
const MOST_COLOURED = 200_000

/** Where the reply of the server is shown. */
export interface AnswerView {
  readonly element: HTMLElement
  waiting(): void
  show(answer: Answer): void
  /** Why there is no reply. */
  refuse(error: unknown, again: () => void): void
}

export function answerView(): AnswerView {
  const facts = h('p', { class: 'quiet answer-facts', role: 'status' }, 'Nothing was asked yet.')
  const text = h('pre', {
    class: 'answer',
    tabindex: '0',
    role: 'group',
    'aria-label': 'Reply of the server',
  })
  const copy = h('button', { type: 'button', class: 'small', hidden: true, click: copyText }, 'Copy')
  const element = h(
    'section',
    { class: 'panel', 'aria-label': 'Reply' },
    h('div', { class: 'title' }, h('h2', {}, 'Reply'), copy),
    facts,
    text,
  )

  function copyText(): void {
    navigator.clipboard.writeText(text.textContent ?? '').then(
      () => fill(copy, 'Copied'),
      () => fill(copy, 'Not allowed'),
    )
  }

  return {
    element,
    waiting() {
      element.setAttribute('aria-busy', 'true')
      fill(facts, 'Asking…')
    },
    show({ status, ms, bytes, snapshot, text: body }) {
      element.removeAttribute('aria-busy')
      const told = [`Status ${status}`, `${Math.round(ms)} ms`, sizeText(bytes)]
      fill(facts, [...told, ...(snapshot === null ? [] : [`snapshot ${snapshot}`])].join(' · '))
      fill(text, coloured(indentedJson(body)))
      fill(copy, 'Copy')
      copy.hidden = false
      if (element.getBoundingClientRect().top > innerHeight) element.scrollIntoView()
    },
    refuse(error, again) {
      element.removeAttribute('aria-busy')
      fill(facts)
      fill(text, refusal(error, again))
      copy.hidden = true
    },
  }
}

function sizeText(bytes: number): string {
  return bytes < 1000
    ? `${bytes} B`
    : bytes < 1e6
      ? `${(bytes / 1e3).toFixed(1)} KB`
      : `${(bytes / 1e6).toFixed(1)} MB`
}

/** The text with a class for each kind of token. */
function coloured(text: string): Child {
  if (text.length > MOST_COLOURED) return text
  const parts: Child[] = []
  const put = (part: string, classes: string) =>
    parts.push(classes === '' ? part : h('span', { class: classes }, part))
  highlightCode(text, jsonLanguage.parser.parse(text), classHighlighter, put, () => parts.push('\n'))
  return parts
}
