import type { FastifyRequest } from 'fastify'
import { faultOfKeyList } from '../../../catalog/query/series-parameters.ts'
import { listsOfBody, refuseList } from '../../contract/body-lists.ts'
import type { CheckedQuery } from '../../contract/query-schema.ts'

const KEYS = 'hotspot_keys'

/** Adds the hotspots in the body of a POST to its query. Errors: `malformed_request`. */
export function withKeysOfBody(query: CheckedQuery, request: FastifyRequest): CheckedQuery {
  const { series } = query
  if (series === undefined) return query
  const keys = keysOfBody(request, series.hotspotKeys)
  return keys === undefined ? query : { ...query, series: { ...series, hotspotKeys: keys } }
}

/**
 * Returns the hotspots in the body of a POST; undefined for other methods. `inAddress` are those of the query string.
 * Errors: `malformed_request`, also if both have hotspots.
 */
export function keysOfBody(
  { method, body }: Pick<FastifyRequest, 'method' | 'body'>,
  inAddress: readonly string[] | undefined,
): readonly string[] | undefined {
  if (method !== 'POST') return undefined
  const { hotspot_keys: keys = [] } = listsOfBody(body, [KEYS])
  const fault = faultOfKeyList(keys)
  if (fault !== undefined) refuseList(KEYS, fault)
  if (inAddress !== undefined) refuseList(KEYS, 'stand in the body and in the address; give them once')
  return keys
}
