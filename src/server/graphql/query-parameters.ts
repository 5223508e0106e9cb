import { fail } from '../../errors.ts'

/** A GraphQL request: the text, its variables, and which of several operations is meant. */
export interface QueryParameters {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName: string | undefined
}

/**
 * Reads the body of a POST or the query string of a GET, in which variables are JSON text.
 * Errors: `malformed_request`.
 */
export function readParameters(from: unknown): QueryParameters {
  if (!isObject(from)) {
    const found = Array.isArray(from)
      ? 'a list'
      : from === undefined || from === null
        ? 'empty'
        : `a ${typeof from}`
    return fail(
      'malformed_request',
      `The body is ${found}; an object such as {"query": "{ status }"} is accepted.`,
    )
  }
  const { query, operationName } = from
  if (typeof query !== 'string' && query !== undefined && query !== null) {
    return fail('malformed_request', 'query is no text; one such as {"query": "{ status }"} is accepted.')
  }
  if (typeof query !== 'string' || query.trim() === '') {
    return fail('malformed_request', 'There is no query; a text such as {"query": "{ status }"} is accepted.')
  }
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    return fail(
      'malformed_request',
      'operationName is no text; the name of one of the operations is accepted.',
    )
  }
  return { query, variables: readVariables(from.variables), operationName: operationName || undefined }
}

function readVariables(given: unknown): QueryParameters['variables'] {
  if (given === undefined || given === null) return {}
  if (isObject(given)) return given
  if (typeof given === 'string') return given.trim() === '' ? {} : readVariables(parseJson(given))
  return fail('malformed_request', 'variables is no object; an object such as {"first": 10} is accepted.')
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    // Text within text is no object either.
    return typeof value === 'string' ? [] : value
  } catch (cause) {
    const shown = JSON.stringify(text.slice(0, 80))
    return fail('malformed_request', `variables is ${shown}; JSON such as {"first": 10} is accepted.`, {
      cause,
    })
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
