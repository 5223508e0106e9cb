import type { FastifyInstance } from 'fastify'
import { readInstant } from '../../base/values/instant.ts'
import { hasOwners, type SeriesRequest } from '../../catalog/query/series-parameters.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { CheckedQuery } from '../contract/query-schema.ts'
import { varyBy } from './vary.ts'

const DAY_SECONDS = 86_400
const WEEK_MICROS = 7n * 86_400_000_000n

/**
 * Returns the Cache-Control of a resource. Responses from a pinned snapshot or an old range may be cached, others are revalidated:
 * with `as_of` an instant, a late commit may still change them. Responses to a key are private.
 */
export function cacheControl(resource: Resource) {
  const last = Object.entries(resource.filters ?? {}).find(([, { match }]) => match === 'atMost')?.[0]

  function isClosed(filters: CheckedQuery['filters'], at: Snapshot): boolean {
    if (resource.statistics === undefined || last === undefined) return false
    const to = filters[last]
    const newest = at.table(resource).statistics.newestPeriod
    return typeof to === 'bigint' && newest !== undefined && to < newest - WEEK_MICROS
  }

  return (query: CheckedQuery, at: Snapshot, isPrivate: boolean, isIncomplete: boolean): string => {
    const { filters, asOf, series, coverage } = query
    // Owners, names, unknown values and coverage follow from the newest tables, whatever the range.
    const isCurrent = coverage || (series !== undefined && (hasOwners(series) || hasUnknown(series)))
    const isLasting = !isIncomplete && (isPinned(asOf) || (!isCurrent && isClosed(filters, at)))
    return formatCacheControl(isPrivate, isLasting)
  }
}

/** Returns true if the response lists unknown keys; the hosted service does not. */
function hasUnknown({ hotspotKeys, asHosted }: SeriesRequest): boolean {
  return hotspotKeys !== undefined && !asHosted
}

/** Replaces `max-age` by `no-cache`. */
export function revalidated(headers: readonly string[]): readonly string[] {
  return headers.map((text, index) =>
    headers[index - 1] === 'cache-control' ? text.replace(/max-age=\d+$/, 'no-cache') : text,
  )
}

/** Returns the Cache-Control of a response that is lasting only if its snapshot is pinned. */
export function pinnedCacheControl(asOf: string | undefined, isPrivate: boolean): string {
  return formatCacheControl(isPrivate, isPinned(asOf))
}

/** Returns true if `as_of` is a snapshot id. */
export const isPinned = (asOf: string | undefined) => asOf !== undefined && readInstant(asOf) === undefined

export function formatCacheControl(isPrivate: boolean, isLasting: boolean): string {
  return `${isPrivate ? 'private' : 'public'}, ${isLasting ? `max-age=${DAY_SECONDS}` : 'no-cache'}`
}

/** Adds a Cache-Control if the route set none: responses are revalidated, and errors are not stored. */
export function addCacheControl(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 200 || reply.statusCode === 304) varyBy(reply, 'accept-encoding')
    if (!reply.hasHeader('cache-control')) {
      const isPrivate = request.headers.authorization !== undefined
      const value = isPrivate ? 'private, no-cache' : 'no-cache'
      reply.header('Cache-Control', reply.statusCode < 400 ? value : 'no-store')
    }
    done(null, payload)
  })
}
