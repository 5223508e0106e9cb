import { h } from '../parts/h.ts'
import type { Question } from '../values/question.ts'
import { examples } from './examples.ts'

/** A list of example queries; `take` receives the chosen one. */
export function exampleChoice(take: (question: Question) => void): HTMLElement {
  const choice = h(
    'select',
    { 'aria-label': 'Examples', change: choose },
    h('option', { value: '' }, 'Examples…'),
    examples.map(({ title }, place) => h('option', { value: String(place) }, title)),
  )
  function choose(): void {
    const chosen = choice.value === '' ? undefined : examples[Number(choice.value)]
    choice.value = ''
    if (chosen !== undefined) take(chosen)
  }
  return choice
}
