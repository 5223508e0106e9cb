import { type DocumentNode, type GraphQLError, type GraphQLSchema, validate } from 'graphql'
import { BoundedMap } from '../../../base/bounded-map.ts'
import { parseQuery } from '../request/parse-query.ts'
import { isRowsQuery } from '../rows/rows-query.ts'
import { type ListQuery, listQueryOf } from './list-query.ts'

/** Parsed documents by text, and what was learned about them. */
export interface Documents {
  /** Returns the document of a text. Errors: GraphQLError. */
  parsed(text: string): DocumentNode
  /** Validates a document once. */
  validated(document: DocumentNode): readonly GraphQLError[]
  /** Returns true if the schema of rows gives the same result. The document is valid. */
  isOfRows(document: DocumentNode): boolean
  /** Returns the plan of a text that is a valid query of lists; otherwise undefined. Errors: GraphQLError. */
  listQuery(text: string, operationName: string | undefined): ListQuery | undefined
}

const MOST_DOCUMENTS = 128
/** Longer texts are parsed each time: a parsed document takes some eighty times the memory of its text. */
const LONGEST_TEXT = 2_000
/** graphql scans the text for the line of each error. */
const MOST_ERRORS = 10

export function openDocuments(schema: GraphQLSchema): Documents {
  const documents = new BoundedMap<string, DocumentNode>(MOST_DOCUMENTS)
  const valid = new WeakMap<DocumentNode, { readonly isOfRows: boolean }>()
  const listQueries = new WeakMap<DocumentNode, ListQuery | null>()

  function parsed(text: string): DocumentNode {
    const document = documents.get(text) ?? parseQuery(text)
    if (text.length <= LONGEST_TEXT) documents.set(text, document)
    return document
  }

  function validated(document: DocumentNode): readonly GraphQLError[] {
    if (valid.has(document)) return []
    const errors = validate(schema, document, undefined, { maxErrors: MOST_ERRORS })
    if (errors.length === 0) valid.set(document, { isOfRows: isRowsQuery(schema, document) })
    return errors
  }

  function findListQuery(document: DocumentNode, text: string): ListQuery | undefined {
    const query = listQueryOf(schema, document, text)
    const hasVariables = query !== undefined && (query.operation.variableDefinitions?.length ?? 0) > 0
    return hasVariables && validated(document).length > 0 ? undefined : query
  }

  return {
    parsed,
    validated,
    isOfRows: (document) => valid.get(document)?.isOfRows === true,
    listQuery(text, operationName) {
      if (text.length > LONGEST_TEXT) return undefined
      const document = parsed(text)
      let query = listQueries.get(document)
      if (query === undefined) {
        query = findListQuery(document, text) ?? null
        listQueries.set(document, query)
      }
      const isChosen = operationName === undefined || operationName === query?.operation.name?.value
      return isChosen ? (query ?? undefined) : undefined
    },
  }
}
