import type { EpochRun, Missing } from '../../answers/coverage/coverage.ts'
import { type Coverages, endsOf } from '../../answers/coverage/coverages.ts'
import { writeInstant } from '../../base/values/instant.ts'
import { type JsonObject, writeJson } from '../../base/values/json-writer.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { CheckedQuery } from '../contract/query-schema.ts'

/**
 * Writes `Ledgerlake-Missing` for a range; undefined if it is complete or the table has no days. `manifests=unknown` stands for
 * unreadable manifests.
 */
export function missingHeader(
  coverages: Coverages,
  resource: Resource,
  filters: Filters,
  at: Snapshot,
  cached = coverages.peek(resource, at),
): string | undefined {
  const coverage = cached ?? coverages.logged(resource, at)
  if (coverage === undefined) return undefined
  const missing = coverage.missing(endsOf(resource, filters, coverage.extent))
  return cached === undefined ? `days=${missing.days}, manifests=unknown` : missingText(missing)
}

/** Writes the counts of `Ledgerlake-Missing`; undefined if nothing is missing. */
export function missingText({ days, manifests }: Missing): string | undefined {
  return days === 0 && manifests === 0 ? undefined : `days=${days}, manifests=${manifests}`
}

/** Returns the member `coverage`, empty if not requested; undefined if the coverage has to be read first. */
export function coverageMember(
  coverages: Coverages,
  resource: Resource,
  query: CheckedQuery,
  at: Snapshot,
): JsonObject | undefined {
  if (!query.coverage) return {}
  const coverage = coverageOf(coverages, resource, query, at)
  return coverage && { coverage: { ...coverage, ...fromServedMember(query.fromServed) } }
}

/** Writes `Ledgerlake-Coverage` for files: the member with counts instead of lists of days. Undefined if not requested or not read. */
export function coverageHeader(
  coverages: Coverages,
  resource: Resource,
  query: CheckedQuery,
  at: Snapshot,
): string | undefined {
  const coverage = query.coverage ? coverageOf(coverages, resource, query, at) : undefined
  if (coverage === undefined) return undefined
  const { from, to, epochs, manifests, tokens, mixes_tokens } = coverage
  const counts = {
    ...{ from, to, ...fromServedMember(query.fromServed) },
    ...{ expected: epochs.expected, present: epochs.present, newest: epochs.newest },
    ...{
      missing: countDays(epochs.missing),
      incomplete: countDays(epochs.incomplete),
      late: countDays(epochs.late),
    },
    ...{ unreadable: countDays(epochs.unreadable) },
    ...{ without_manifest: countDays(manifests?.missing ?? null), tokens, mixes_tokens },
  }
  return writeJson(counts)
}

function coverageOf(coverages: Coverages, resource: Resource, { filters }: CheckedQuery, at: Snapshot) {
  const coverage = coverages.peek(resource, at)
  return coverage?.over(endsOf(resource, filters, coverage.extent))
}

function countDays(runs: readonly EpochRun[] | null): number | null {
  return runs === null ? null : runs.reduce((sum, { days }) => sum + days, 0)
}

/** Start of the range if the key's look-back cut it. */
export function fromServedMember(fromServed: bigint | undefined): JsonObject {
  return fromServed === undefined ? {} : { from_served: writeInstant(fromServed) }
}
