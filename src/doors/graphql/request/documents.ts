import { type DocumentNode, type GraphQLError, type GraphQLSchema, validate } from 'graphql'
import { BoundedMap } from '../../../base/bounded-map.ts'
import { isRowsQuery } from '../rows/rows-query.ts'

/** Parsed documents by text, and what was learned about them. */
export interface Documents {
  /** Returns the document of a text, parsed by `parse` if it is new. Errors: those of `parse`. */
  parsed(text: string, parse: (text: string) => DocumentNode): DocumentNode
  /** Validates a document once. */
  validated(document: DocumentNode): readonly GraphQLError[]
  /** Returns true if the schema of rows gives the same result. The document is valid. */
  isOfRows(document: DocumentNode): boolean
}

const MOST_DOCUMENTS = 128
/** Longer texts are parsed each time: a parsed document takes some eighty times the memory of its text. */
const LONGEST_TEXT = 2_000
/** graphql scans the text for the line of each error. */
const MOST_ERRORS = 10

export function openDocuments(schema: GraphQLSchema): Documents {
  const documents = new BoundedMap<string, DocumentNode>(MOST_DOCUMENTS)
  const valid = new WeakMap<DocumentNode, { readonly isOfRows: boolean }>()

  return {
    parsed(text, parse) {
      const document = documents.get(text) ?? parse(text)
      if (text.length <= LONGEST_TEXT) documents.set(text, document)
      return document
    },
    validated(document) {
      if (valid.has(document)) return []
      const errors = validate(schema, document, undefined, { maxErrors: MOST_ERRORS })
      if (errors.length === 0) valid.set(document, { isOfRows: isRowsQuery(schema, document) })
      return errors
    },
    isOfRows: (document) => valid.get(document)?.isOfRows === true,
  }
}
