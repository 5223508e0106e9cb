import { h } from '../parts/h.ts'
import type { Question } from '../values/question.ts'
import { operationAt, operationOffset } from './operations.ts'

interface Options {
  readonly run: () => void
  readonly changed: () => void
}

/** The fields of a query and its variables. */
export function questionView({ run, changed }: Options) {
  const onKey = (event: Event) => {
    const isSent = event instanceof KeyboardEvent && event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (isSent) run()
  }
  const textField = (label: string, rows: number) =>
    h('textarea', {
      ...{ 'aria-label': label, rows: String(rows), input: changed, keydown: onKey },
      ...{ spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off' },
    })
  const query = textField('Query', 18)
  const variables = textField('Variables', 4)
  return {
    query,
    variables,
    question: (): Question => ({
      query: query.value,
      variables: variables.value,
      operation: operationAt(query.value, query.selectionStart),
    }),
    take({ query: text, variables: values, operation }: Question): void {
      query.value = text
      variables.value = values
      const cursor = operation === undefined ? 0 : operationOffset(text, operation)
      query.setSelectionRange(cursor, cursor)
    },
  }
}
