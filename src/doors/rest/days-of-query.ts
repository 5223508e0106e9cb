import type { Repository } from '../../answers/repository.ts'
import { fail } from '../../base/errors.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { hasDays } from '../../catalog/embeddings.ts'
import type { ApiKey } from '../../keys/api-key.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { RestOperation } from '../contract/operations.ts'
import type { CheckedQuery } from '../contract/query-schema.ts'
import { narrowToLookBack } from '../gate/look-back.ts'
import type { RestRequest } from './handlers.ts'

/** Paid days of a query: its range, and the missing days. */
export interface DaysOfQuery {
  /** Returns true if the response lists missing days: sums and files do. */
  hasMissingDays(query: CheckedQuery): boolean
  /** Returns true if neither the range nor the missing days have to be read. */
  isKnown(query: CheckedQuery, at: Snapshot): boolean
  /** Reads both. Unreadable days are reported in a header. Errors: `malformed_request`, `lake_damaged`. */
  read(query: CheckedQuery, at: Snapshot, signal: AbortSignal): Promise<void>
  /** Replaces days by their range, which must be known, and cuts the range to the key's look-back. */
  withinReach(request: RestRequest, key: ApiKey | null): CheckedQuery
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

    withinReach({ query, at }, key) {
      const range = query.days === undefined ? query.filters : rangeOf(query, at)
      const { filters, from: fromServed } = narrowToLookBack(resource, range, key)
      return filters === query.filters ? query : { ...query, filters, fromServed }
    },
  }
}
