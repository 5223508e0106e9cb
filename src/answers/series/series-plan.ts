import type { Filters } from '../../catalog/query/filter-values.ts'
import { type GroupRange, groupRangeOf } from '../../catalog/query/group-range.ts'
import type { CountPlan, Predicate } from '../../catalog/query/plan.ts'
import type { SeriesRequest } from '../../catalog/query/series-parameters.ts'
import { toCountPlan } from '../../catalog/query/to-plan.ts'
import { groupedBy, type Resource } from '../../catalog/resource.ts'
import type { KeyIndex } from '../../index/keyed/key-index.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'

/** A series of shares with its access path chosen. No data has been read. */
export interface SeriesPlan extends CountPlan {
  readonly request: SeriesRequest
  readonly table: TableSnapshot
  /** Log groups of the series; undefined if they cannot select its rows. */
  readonly range: GroupRange | undefined
  readonly column: string | undefined
  /** Source of the groups: the log, the keys of hotspots, or another column. */
  readonly divides: 'logged' | 'keyed' | 'other'
  /** True for a selection of hotspots. */
  readonly isOfSome: boolean
  readonly isIndexed: boolean
  readonly by: 'log' | 'index' | 'engine'
}

export function planSeries(
  resource: Resource,
  filters: Filters,
  request: SeriesRequest,
  at: Snapshot,
  { index }: { readonly index: KeyIndex },
): SeriesPlan {
  const { groupBy, owner, makerId, hotspotKeys } = request
  const { type } = groupedBy(resource)
  const plan = toCountPlan(resource, filters)
  const range = groupRangeOf(plan)
  const table = at.table(resource)
  const column = groupBy === null ? undefined : resource.series?.groupBy[groupBy]
  const isLogged = column === undefined || column === type || column === 'source_file'
  const divides = isLogged ? 'logged' : column === resource.keyed ? 'keyed' : 'other'
  const isOfSome = owner !== undefined || makerId !== undefined || hotspotKeys !== undefined
  const isIndexed = range !== undefined && divides !== 'other' && index.covers(table, range)
  const by = choosePath()
  const where = [
    ...plan.where,
    ...(request.asHosted && divides === 'other' ? whereHas(resource, column) : []),
  ]
  return { resource, where, request, table, range, column, divides, isOfSome, isIndexed, by }

  function choosePath(): SeriesPlan['by'] {
    if (isOfSome) return isIndexed ? 'index' : 'engine'
    if (range === undefined || divides === 'other') return 'engine'
    if (isLogged) return 'log'
    return isIndexed && index.coversEarned(table, range) ? 'index' : 'engine'
  }
}

/** Limits rows to the types that have a column. */
function whereHas(resource: Resource, column = ''): readonly Predicate[] {
  const cases = Object.entries(resource.variants?.cases ?? {}).filter(([, members]) => column in members)
  const { type } = groupedBy(resource)
  const [[only] = [], ...more] = cases
  // The log can look up counts of one value, not of several.
  if (only !== undefined && more.length === 0) return [{ column: type, match: 'equals', value: only }]
  return [{ column: type, match: 'anyOf', value: cases.map(([name]) => name) }]
}
