import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Repository } from '../../answers/repository.ts'
import { fail } from '../../base/errors.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { hasDays } from '../../catalog/embeddings.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { RestOperation } from '../contract/operations.ts'
import type { CheckedQuery } from '../contract/query-schema.ts'
import { withinLookBack } from '../gate/look-back.ts'
import type { RestRequest } from './handlers.ts'

/** Paid days of a query: its range, and the missing days. */
export interface DaysOfQuery {
  /** Returns true if the response lists missing days: sums and files do. */
  hasMissingDays(query: CheckedQuery): boolean
  /** Returns true if neither the range nor the missing days have to be read. */
  isKnown(query: CheckedQuery, at: Snapshot): boolean
  /** Reads both. Unreadable days are reported in a header. Errors: `malformed_request`, `lake_damaged`. */
  read(query: CheckedQuery, at: Snapshot, signal: AbortSignal): Promise<void>
  /** Replaces days by their range. They must be known. */
  withRange(query: CheckedQuery, at: Snapshot): CheckedQuery
  /** Does the same, and cuts the range to the key's look-back. */
  withinReach(rest: RestRequest, request: FastifyRequest, reply: FastifyReply): CheckedQuery
}

export function daysOfQueries({ resource, kind }: RestOperation, repository: Repository): DaysOfQuery {
  const { coverages, dayRanges } = repository
  const knowsDays = hasDays(resource) && kind !== 'find'

  const hasMissingDays = ({ format }: CheckedQuery) => knowsDays && (kind !== 'list' || format !== undefined)
  const isCoverageKnown = (query: CheckedQuery, at: Snapshot) =>
    !hasMissingDays(query) || coverages.peek(resource, at) !== undefined
  const rangeOf = (query: CheckedQuery, at: Snapshot) =>
    dayRanges.peek(resource, query, at) ?? fail('internal', 'days were not read')

  return {
    hasMissingDays,
    isKnown: (query, at) =>
      (query.days === undefined || dayRanges.peek(resource, query, at) !== undefined) &&
      isCoverageKnown(query, at),

    async read(query, at, signal) {
      if (!isCoverageKnown(query, at))
        await unlessGone(
          coverages.read(at, signal, resource).catch(() => {}),
          signal,
        )
      await unlessGone(dayRanges.read(resource, query, at, signal), signal)
    },

    withRange: (query, at) => (query.days === undefined ? query : { ...query, filters: rangeOf(query, at) }),

    withinReach({ query, at }, request, reply) {
      const range = query.days === undefined ? query.filters : rangeOf(query, at)
      const { filters, from: fromServed } = withinLookBack(resource, range, request, reply)
      return filters === query.filters ? query : { ...query, filters, fromServed }
    },
  }
}
