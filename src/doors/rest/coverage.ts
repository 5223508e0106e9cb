import type { EpochRun } from '../../answers/coverage/coverage.ts'
import { type Coverages, endsOf } from '../../answers/coverage/coverages.ts'
import { writeInstant } from '../../base/values/instant.ts'
import { type JsonObject, writeJson } from '../../base/values/json-writer.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { CheckedQuery } from '../contract/query-schema.ts'

/**
 * The value of `Ledgerlake-Missing` for a range; undefined when it lacks nothing, and for a table without days. Manifests
 * that cannot be read are `unknown`, also when no day is missing.
 */
export function missingIn(
  coverages: Coverages,
  resource: Resource,
  filters: Filters,
  at: Snapshot,
  known = coverages.peek(resource, at),
): string | undefined {
  const coverage = known ?? coverages.logged(resource, at)
  if (coverage === undefined) return undefined
  const { days, manifests } = coverage.missing(endsOf(resource, filters, coverage.extent))
  if (known === undefined) return `days=${days}, manifests=unknown`
  return days === 0 && manifests === 0 ? undefined : `days=${days}, manifests=${manifests}`
}

/** The member `coverage` of a reply, nothing unless it is asked for; undefined while what it follows from was not read. */
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

/**
 * The value of `Ledgerlake-Coverage`, which files have in the place of that member: the same with counts of days where the
 * member lists them, since headers are short. Undefined unless it is asked for and known.
 */
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
    ...{ missing: daysOf(epochs.missing), incomplete: daysOf(epochs.incomplete), late: daysOf(epochs.late) },
    ...{ unreadable: daysOf(epochs.unreadable) },
    ...{ without_manifest: daysOf(manifests?.missing ?? null), tokens, mixes_tokens },
  }
  return writeJson(counts)
}

function coverageOf(coverages: Coverages, resource: Resource, { filters }: CheckedQuery, at: Snapshot) {
  const coverage = coverages.peek(resource, at)
  return coverage?.over(endsOf(resource, filters, coverage.extent))
}

function daysOf(runs: readonly EpochRun[] | null): number | null {
  return runs === null ? null : runs.reduce((sum, { days }) => sum + days, 0)
}

/** Where a range begins instead, for keys that may not look back as far as was asked. */
export function fromServedMember(fromServed: bigint | undefined): JsonObject {
  return fromServed === undefined ? {} : { from_served: writeInstant(fromServed) }
}
