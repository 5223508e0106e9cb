import { type DocumentNode, GraphQLError, Kind, parse } from 'graphql'
import { quoted } from '../../../base/parameter-text.ts'
import { queryLimits, tooLarge } from './limits.ts'

/** Parses a text within the limits. Errors: GraphQLError. */
export function parseQuery(text: string): DocumentNode {
  if (text.length > queryLimits.characters) throw tooLarge('characters', text.length)
  try {
    return parse(text, { maxTokens: queryLimits.tokens })
  } catch (error) {
    if (error instanceof RangeError) throw new GraphQLError(TOO_NESTED)
    const isLong = error instanceof GraphQLError && / \d+ tokens/.test(error.message)
    throw isLong ? tooLarge('tokens', Number.POSITIVE_INFINITY) : error
  }
}

const TOO_NESTED = `The query is nested too deep to be read; the limit is ${queryLimits.depth} fields.`

/** Returns the document if exactly one operation is chosen and it is a query. Errors: GraphQLError. */
export function requireQuery(document: DocumentNode, name: string | undefined): DocumentNode {
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION)
  const names = operations.slice(0, 10).map((one) => one.name?.value.slice(0, 80) ?? 'one without a name')
  const meant = operations.filter((one) => name === undefined || one.name?.value === name)
  if (operations.length > 0 && meant.length === 0) {
    throw new GraphQLError(`operationName is ${quoted(name ?? '')}; the query has ${names.join(', ')}.`)
  }
  if (name === undefined && meant.length > 1) {
    const several = `The query has ${operations.length} operations: ${names.join(', ')}`
    throw new GraphQLError(`${several}; choose one with operationName.`)
  }
  const kind = meant[0]?.operation ?? 'query'
  if (kind === 'query') return document
  throw new GraphQLError(`There is no ${kind} here; send a query such as { status }.`)
}
