import { json, jsonParseLinter } from '@codemirror/lang-json'
import { linter } from '@codemirror/lint'
import { graphql, updateSchema } from 'cm6-graphql'
import type { GraphQLSchema } from 'graphql'
import { editorText, openEditor, setText } from './editor.ts'
import type { Found } from './find-in-schema.ts'
import { operationAt, operationOffset } from './operations.ts'
import type { Question } from './question.ts'

/** Where a query and its variables are written. */
export interface QuestionView {
  readonly query: HTMLElement
  readonly variables: HTMLElement
  question(): Question
  take(question: Question): void
  /** From then on names are completed and checked. */
  know(schema: GraphQLSchema): void
}

interface Options {
  readonly run: () => void
  readonly changed: () => void
  /** A name was clicked with Ctrl. */
  readonly lookUp: (place: Found) => void
}

export function questionView({ run, changed, lookUp }: Options): QuestionView {
  const onShowInDocs = (field?: string, type?: string, parent?: string) => {
    const name = (parent ?? type)?.replace(/[[\]!]/g, '')
    if (name !== undefined) lookUp({ type: name, ...(field !== undefined && { field }) })
  }
  const query = openEditor({
    ...{ label: 'Query', language: graphql(undefined, { onShowInDocs }), run, changed },
  })
  const checked = jsonParseLinter()
  const variables = openEditor({
    ...{ label: 'Variables', run, changed },
    language: [json(), linter((view) => (view.state.doc.toString().trim() === '' ? [] : checked(view)))],
  })
  return {
    query: query.element,
    variables: variables.element,
    question: () => ({
      query: editorText(query),
      variables: editorText(variables),
      operation: operationAt(editorText(query), query.view.state.selection.main.head),
    }),
    take(question) {
      const { operation } = question
      setText(query, question.query, operation === undefined ? 0 : operationOffset(question.query, operation))
      setText(variables, question.variables)
    },
    know: (schema) => updateSchema(query.view, schema),
  }
}
