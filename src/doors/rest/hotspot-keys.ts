import type { FastifyRequest } from 'fastify'
import { fail } from '../../base/errors.ts'
import { faultOfKeyList } from '../../catalog/query/series-parameters.ts'
import type { CheckedQuery } from '../contract/query-schema.ts'

const KEYS = 'hotspot_keys'

/** Adds the hotspots in the body of a POST to its query. Errors: `malformed_request`. */
export function withKeysOfBody(query: CheckedQuery, { method, body }: FastifyRequest): CheckedQuery {
  const { series } = query
  if (method !== 'POST' || series === undefined) return query
  const keys = readKeys(body)
  if (typeof keys === 'string') return refuseKeys(keys)
  if (series.hotspotKeys !== undefined) refuseKeys('stand in the body and in the address; give them once')
  return { ...query, series: { ...series, hotspotKeys: keys } }
}

function refuseKeys(problem: string): never {
  const message = `${KEYS} ${problem}`
  return fail('malformed_request', `${message}.`, { faults: [{ param: KEYS, message }] })
}

/** Returns the keys, or the rest of a sentence on what is wrong with them. */
function readKeys(body: unknown): readonly string[] | string {
  const named = typeof body === 'object' && body !== null ? Object.entries(body) : []
  const [name, keys] = named[0] ?? []
  if (named.length !== 1 || name !== KEYS)
    return `is the one member that the body has; use {"${KEYS}": ["…"]}`
  if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'string'))
    return 'must be an array of strings'
  // Trimmed like keys in the query string.
  const trimmed = keys.map((key) => key.trim())
  return faultOfKeyList(trimmed) ?? trimmed
}
