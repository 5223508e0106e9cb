import { groupBy } from '../../base/maps.ts'
import { bigintOf } from '../../catalog/column.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { Predicate } from '../../catalog/query/plan.ts'
import { toCountPlan } from '../../catalog/query/to-plan.ts'
import type { FlatColumn } from '../../catalog/records/flat-columns.ts'
import type { Resource } from '../../catalog/resource.ts'
import { SOURCES_KEY } from '../../engine/parquet/exported-parquet.ts'
import { sourceKey } from '../../lake/facts/source.ts'
import { type SourceRecord, sourceRecordsOf, writeSourceRecord } from '../../lake/facts/source-record.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'

/**
 * Returns the sources with all their rows in a list, for the footer of its file: `ingest` restores them. Undefined if
 * the list lacks columns of its table, or has filters besides its range of periods.
 */
export function recordedSources(
  resource: Resource,
  filters: Filters,
  columns: readonly FlatColumn[],
  at: Snapshot,
): Readonly<Record<string, string>> | undefined {
  const plan = toCountPlan(resource, filters)
  const isWide = Object.keys(resource.columns).every((name) => columns.some((column) => column.name === name))
  const isOfPeriods = plan.where.every(({ column }) => column === resource.statistics?.period)
  if (!isWide || !isOfPeriods) return undefined
  const records = sourceRecordsOf(resource, at.table(resource).files)
  const sources = groupBy(records, ({ source }) => sourceKey(source))
  const whole = [...sources.values()].filter((parts) => isWithin(parts, plan.where)).flat()
  return { [SOURCES_KEY]: JSON.stringify({ table: resource.name, sources: whole.map(writeSourceRecord) }) }
}

/** Returns true if all rows of a source satisfy the predicates; false without rows. */
function isWithin(parts: readonly SourceRecord[], where: readonly Predicate[]): boolean {
  if (where.length === 0) return true
  const periods = parts.flatMap(({ source }) => source.groups.map(({ period }) => period))
  return periods.length > 0 && periods.every((period) => where.every((predicate) => holds(predicate, period)))
}

function holds({ match, value }: Predicate, period: bigint): boolean {
  const bound = bigintOf(value)
  if (match === 'atLeast') return period >= bound
  return match === 'atMost' ? period <= bound : period === bound
}
