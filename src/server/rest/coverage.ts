import type { Resource } from '../../catalog/resource.ts'
import type { Filters } from '../../derive/filter-values.ts'
import { writeInstant } from '../../derive/instant.ts'
import type { JsonObject } from '../../derive/json-writer.ts'
import type { CheckedQuery } from '../../derive/query-schema.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import { type Coverages, endsOf } from '../../repository/coverages.ts'

/**
 * The value of `Ledgerlake-Missing` for a range; undefined when it lacks nothing, and for a table without epochs. Manifests
 * that cannot be read are `unknown`, also when no day is missing.
 */
export function missingIn(
  coverages: Coverages,
  resource: Resource,
  filters: Filters,
  at: Snapshot,
): string | undefined {
  const known = coverages.known(resource, at)
  const coverage = known ?? coverages.logged(resource, at)
  if (coverage === undefined) return undefined
  const { days, manifests } = coverage.missing(endsOf(resource, filters))
  if (known === undefined) return `days=${days}, manifests=unknown`
  return days === 0 && manifests === 0 ? undefined : `days=${days}, manifests=${manifests}`
}

/** The member `coverage` of a reply, nothing unless it is asked for; undefined while the manifests were not read. */
export function coverageMember(
  coverages: Coverages,
  resource: Resource,
  { coverage: isAsked, filters, fromServed }: CheckedQuery,
  at: Snapshot,
): JsonObject | undefined {
  if (!isAsked) return {}
  const coverage = coverages.known(resource, at)?.over(endsOf(resource, filters))
  return coverage && { coverage: { ...coverage, ...fromServedMember(fromServed) } }
}

/** Where a range begins instead, for keys that may not look back as far as was asked. */
export function fromServedMember(fromServed: bigint | undefined): JsonObject {
  return fromServed === undefined ? {} : { from_served: writeInstant(fromServed) }
}
