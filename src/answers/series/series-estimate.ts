import { hotspots } from '../../catalog/l2/hotspots.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { SeriesRequest } from '../../catalog/query/series-parameters.ts'
import { toCountPlan } from '../../catalog/query/to-plan.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { type Estimate, estimateOf } from '../records/estimate.ts'
import type { SeriesPlan } from './series-plan.ts'

/** Assumed hotspots of an owner or maker; the cost model learns the actual number. */
const USUAL_HOTSPOTS = 100

/** Days per step; `all` is one step. */
const STEP_DAYS = { day: 1, week: 7, month: 30, all: Number.POSITIVE_INFINITY } as const

const EVERYTHING = { from: 0n, to: 2n ** 63n - 1n }

/** Log groups of a series; all groups if the log cannot select its rows. */
export function groupsOf({ table, range }: SeriesPlan) {
  return table.statistics.groups(range ?? EVERYTHING)
}

/** Estimates from plan and log. Reads nothing. */
export function estimateSeries(plan: SeriesPlan, at: Snapshot): Estimate {
  const { request, table, range, divides, by } = plan
  const logged = groupsOf(plan)
  const groups = logged.length
  const isNew = (index: number) => logged[index]?.period !== logged[index - 1]?.period
  const periods = logged.reduce((sum, _, index) => sum + Number(isNew(index)), 0)
  const keys = divides === 'keyed' || plan.isOfSome ? countKeys(request, at) : 0
  const cells =
    divides === 'keyed' || plan.isOfSome
      ? Math.min(range ? table.statistics.count(range) : table.rows, keys * groups)
      : groups
  const named = divides === 'keyed' ? Math.min(request.limit, keys) : 1
  const steps = Math.max(1, Math.ceil(periods / STEP_DAYS[request.interval]))
  const isRanked = by === 'index' && !plan.isOfSome
  const ranked = isRanked ? at.table(hotspots).rows : 0
  return {
    // The cost model learns ranking of all hotspots separately.
    ...estimateOf({ by: isRanked ? 'ranking index' : by }, plan, 0, at),
    sums: { cells: cells + ranked, rows: steps * named, lookups: countLookups(request) },
  }
}

function countKeys({ groupBy, limit, owner, makerId, hotspotKeys }: SeriesRequest, at: Snapshot): number {
  if (hotspotKeys !== undefined) return hotspotKeys.length
  if (owner !== undefined || makerId !== undefined) return USUAL_HOTSPOTS
  const hotspotCount = at.table(hotspots).rows
  return groupBy === 'hotspot' ? Math.min(limit, hotspotCount) : hotspotCount
}

/** Estimates a series of the ledger, whose rows the engine sums. */
export function estimateLedgerSeries(
  resource: Resource,
  filters: Filters,
  request: SeriesRequest,
  at: Snapshot,
): Estimate {
  const rows = request.groupBy === null ? 1 : request.limit
  const sums = { cells: rows, rows, lookups: countLookups(request) }
  return { ...estimateOf({ by: 'engine' }, toCountPlan(resource, filters), 0, at), sums }
}

/** Every hotspot key of a request costs one lookup. */
function countLookups({ hotspotKeys = [] }: SeriesRequest): number {
  return hotspotKeys.length
}
