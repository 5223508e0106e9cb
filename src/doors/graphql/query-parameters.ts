import { fail } from '../../base/errors.ts'
import { quoted, type RawQuery, refuse, textParameter } from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { combineChecks } from '../../catalog/query/filter-values.ts'

/** A GraphQL request: query, variables, and the operation to execute. */
export interface QueryParameters {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName: string | undefined
  readonly asOf?: string | undefined
  /** True if the client sent only variables of a persisted query. */
  readonly isPersisted?: boolean
}

/** Query string parameters of a GET. */
export const queryParameters = ['query', 'variables', 'operationName', 'extensions'] as const

interface QueryString {
  /** Id or instant of the snapshot; undefined for the newest. */
  readonly asOf: string | undefined
  readonly given: Readonly<Record<string, string | undefined>>
}

/** Reads a query string with `as_of` and the parameters `names`. Errors: `malformed_request`. */
export function readGraphqlParameters(raw: RawQuery, names: readonly string[]): QueryString {
  const accepted = [...names, 'as_of']
  const { values, faults } = combineChecks(
    Object.fromEntries(accepted.map((param) => [param, textParameter])),
  )(raw)
  refuse([...unknownParameters(Object.keys(raw), accepted), ...faults])
  const { as_of: asOf, ...given } = values
  return { asOf, given }
}

/**
 * Reads the body of a POST or the query string of a GET, in which variables are JSON text.
 * Errors: `malformed_request`.
 */
export function readParameters(from: unknown): QueryParameters {
  if (Array.isArray(from)) {
    return refuseBody(
      'Batches are not supported. Send each query in a request of its own, such as {"query": "{ status }"}.',
    )
  }
  if (!isObject(from)) {
    const actual = from === undefined || from === null ? 'empty' : `a ${typeof from}`
    return refuseBody(`The body is ${actual}; send an object such as {"query": "{ status }"}.`)
  }
  const { query, operationName } = from
  if (typeof query !== 'string' && query !== undefined && query !== null) {
    return refuseBody('query must be a string, such as {"query": "{ status }"}.')
  }
  if (typeof query !== 'string' || query.trim() === '') {
    return refuseBody('There is no query; send one such as {"query": "{ status }"}.')
  }
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    return refuseBody('operationName must be a string, the name of an operation.')
  }
  readMap('extensions', from.extensions)
  return {
    query,
    variables: readMap('variables', from.variables),
    operationName: operationName || undefined,
  }
}

const refuseBody = (sentence: string) => fail('malformed_request', sentence)

/** Object members of a request, with the example in their error message. */
const maps = { variables: '{"first": 10}', extensions: '{}' } as const

/** Reads an object, or its JSON text in a query string; blank text is an empty object. */
function readMap(name: keyof typeof maps, given: unknown): Readonly<Record<string, unknown>> {
  if (given === undefined || given === null) return {}
  if (isObject(given)) return given
  if (typeof given === 'string') {
    if (given.trim() === '') return {}
    const value = parsedJson(given)
    if (value === undefined) refuseBody(`${name} is ${quoted(given)}; send JSON such as ${maps[name]}.`)
    // A JSON string in JSON text is not an object.
    return readMap(name, typeof value === 'string' ? [] : value)
  }
  return refuseBody(`${name} must be an object, such as ${maps[name]}.`)
}

/** Undefined for text that is not JSON. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns true for a hash without its query: the first attempt of automatic persisted queries. */
export function isHashAlone(from: unknown): boolean {
  if (!isObject(from) || (typeof from.query === 'string' && from.query.trim() !== '')) return false
  const { extensions } = from
  const read = typeof extensions === 'string' ? parsedJson(extensions) : extensions
  return isObject(read) && isObject(read.persistedQuery)
}

/** With this error, clients of automatic persisted queries send the whole query and stop sending hashes. */
export const hashRefused: JsonObject = {
  errors: [{ message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }],
}
