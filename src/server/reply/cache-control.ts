import type { FastifyInstance } from 'fastify'
import type { Resource } from '../../catalog/resource.ts'
import { readInstant } from '../../derive/instant.ts'
import type { CheckedQuery } from '../../derive/query-schema.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import { varyBy } from './vary.ts'

const DAY_SECONDS = 86_400
const WEEK_MICROS = 7n * 86_400_000_000n

/**
 * Tells how long a copy of an answer about a resource may be used without asking again. Answers of a snapshot that is named
 * by its id never change, and those over a range that ended a week before the newest period hardly ever; others are asked
 * for anew, which costs a tag. So are those of an instant: a commit under way, or by a slow clock, may still count into it.
 * What a key was needed for is for that caller alone.
 */
export function cacheControl(resource: Resource) {
  const last = Object.entries(resource.filters ?? {}).find(([, { match }]) => match === 'atMost')?.[0]

  function isClosed(filters: CheckedQuery['filters'], at: Snapshot): boolean {
    if (resource.statistics === undefined || last === undefined) return false
    const to = filters[last]
    const newest = at.table(resource).statistics.newestPeriod
    return typeof to === 'bigint' && newest !== undefined && to < newest - WEEK_MICROS
  }

  return ({ filters, asOf }: CheckedQuery, at: Snapshot, isForOne: boolean): string => {
    const isPinned = asOf !== undefined && readInstant(asOf) === undefined
    const isLasting = isPinned || isClosed(filters, at)
    return `${isForOne ? 'private' : 'public'}, ${isLasting ? `max-age=${DAY_SECONDS}` : 'no-cache'}`
  }
}

/** Says to caches what they may keep: what has no say of its own is asked for anew, and a failure is not kept. */
export function tellCaches(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 200 || reply.statusCode === 304) varyBy(reply, 'accept-encoding')
    if (!reply.hasHeader('Cache-Control')) {
      const isForOne = request.headers.authorization !== undefined
      const kept = isForOne ? 'private, no-cache' : 'no-cache'
      reply.header('Cache-Control', reply.statusCode < 400 ? kept : 'no-store')
    }
    done(null, payload)
  })
}
