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
 * The Cache-Control of replies about a resource. Those of a snapshot that is named by its id never change, and those over a
 * range that ended a week before the newest period hardly ever. All others have to be revalidated, also those as of an
 * instant: a commit under way, or by a slow clock, may still fall before it; and those that lack what could not be read. What
 * needed a key is for that caller alone.
 */
export function cacheControl(resource: Resource) {
  const last = Object.entries(resource.filters ?? {}).find(([, { match }]) => match === 'atMost')?.[0]

  function isClosed(filters: CheckedQuery['filters'], at: Snapshot): boolean {
    if (resource.statistics === undefined || last === undefined) return false
    const to = filters[last]
    const newest = at.table(resource).statistics.newestPeriod
    return typeof to === 'bigint' && newest !== undefined && to < newest - WEEK_MICROS
  }

  return (query: CheckedQuery, at: Snapshot, isForOne: boolean, isLacking: boolean): string => {
    const { filters, asOf, series, coverage } = query
    // Owners, names and what nothing has are those of now, and coverage names the newest period, whatever the range.
    const isOfNow = coverage || (series !== undefined && (hasOwners(series) || tellsUnknown(series)))
    const isLasting = !isLacking && (isPinned(asOf) || (!isOfNow && isClosed(filters, at)))
    return cacheFor(isForOne, isLasting)
  }
}

/** Whether a series says what its keys stand for: hosted answers do not. */
function tellsUnknown({ hotspotKeys, asHosted }: SeriesRequest): boolean {
  return hotspotKeys !== undefined && !asHosted
}

/** The headers of a reply that has to be revalidated, whatever they were. */
export function revalidated(headers: readonly string[]): readonly string[] {
  return headers.map((text, place) =>
    headers[place - 1] === 'cache-control' ? text.replace(/max-age=\d+$/, 'no-cache') : text,
  )
}

/** The Cache-Control of a reply that follows from the newest rows, unless its snapshot is named by its id. */
export function keptAs(asOf: string | undefined, isForOne: boolean): string {
  return cacheFor(isForOne, isPinned(asOf))
}

/** The Cache-Control of a reply that depends on no data. */
export const keptLong = (isForOne: boolean) => cacheFor(isForOne, true)

/** Whether a snapshot is named by its id. */
export const isPinned = (asOf: string | undefined) => asOf !== undefined && readInstant(asOf) === undefined

function cacheFor(isForOne: boolean, isLasting: boolean): string {
  return `${isForOne ? 'private' : 'public'}, ${isLasting ? `max-age=${DAY_SECONDS}` : 'no-cache'}`
}

/** Adds Cache-Control where a route set none: replies have to be revalidated, and errors are not stored. */
export function tellCaches(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 200 || reply.statusCode === 304) varyBy(reply, 'accept-encoding')
    if (!reply.hasHeader('cache-control')) {
      const isForOne = request.headers.authorization !== undefined
      const kept = isForOne ? 'private, no-cache' : 'no-cache'
      reply.header('Cache-Control', reply.statusCode < 400 ? kept : 'no-store')
    }
    done(null, payload)
  })
}
