import type { FastifyRequest } from 'fastify'
import { refuse } from '../../base/parameter-text.ts'
import { faultOfKeyList } from '../../catalog/query/series-parameters.ts'
import type { CheckedQuery } from '../contract/query-schema.ts'

const KEYS = 'hotspot_keys'

/** The query of a POST, with the hotspots of its body. Errors: `malformed_request`. */
export function withKeysOfBody(query: CheckedQuery, { method, body }: FastifyRequest): CheckedQuery {
  const { series } = query
  if (method !== 'POST' || series === undefined) return query
  const keys = keysIn(body)
  if (typeof keys === 'string') refuse([{ param: KEYS, message: `${KEYS} ${keys}` }])
  if (series.hotspotKeys !== undefined)
    refuse([{ param: KEYS, message: `${KEYS} stand in the body and in the address; give them once` }])
  return { ...query, series: { ...series, hotspotKeys: keys as readonly string[] } }
}

/** The keys, or what is wrong with them as the rest of a sentence. */
function keysIn(body: unknown): readonly string[] | string {
  const named = typeof body === 'object' && body !== null ? Object.entries(body) : []
  const [name, keys] = named[0] ?? []
  if (named.length !== 1 || name !== KEYS)
    return `is the one member that the body has; use {"${KEYS}": ["…"]}`
  if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'string'))
    return 'must be an array of strings'
  // As in an address, blanks around a key are none of it.
  const trimmed = keys.map((key) => key.trim())
  return faultOfKeyList(trimmed) ?? trimmed
}
