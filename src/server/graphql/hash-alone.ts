import type { JsonObject } from '../../derive/json-writer.ts'
import { isObject, parsedJson } from './query-parameters.ts'

/** Whether a request has the hash of a query and no query, as clients of automatic persisted queries try first. */
export function isHashAlone(from: unknown): boolean {
  if (!isObject(from) || (typeof from.query === 'string' && from.query.trim() !== '')) return false
  const { extensions } = from
  const read = typeof extensions === 'string' ? parsedJson(extensions) : extensions
  return isObject(read) && isObject(read.persistedQuery)
}

/** The error message at which these clients send the query itself, and no hash any more. */
export const hashRefused: JsonObject = {
  errors: [{ message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }],
}
