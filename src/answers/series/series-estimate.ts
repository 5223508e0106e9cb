import { hotspots } from '../../catalog/l2/hotspots.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { SeriesRequest } from '../../catalog/query/series-parameters.ts'
import { toCountPlan } from '../../catalog/query/to-plan.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { type Estimate, estimateOf } from '../records/estimate.ts'
import type { SeriesPlan } from './series-plan.ts'

/** Hotspots that an owner or a maker is taken to have; the answers teach how many they are. */
const USUAL_HOTSPOTS = 100

/** Days of a step; all is one. */
const STEP_DAYS = { day: 1, week: 7, month: 30, all: Number.POSITIVE_INFINITY } as const

/** How many groups of the log a series is about; all of them where the log does not tell its rows. */
export function countGroups({ table, range }: SeriesPlan): number {
  return table.statistics.groups(range ?? EVERYTHING).length
}

const EVERYTHING = { from: 0n, to: 2n ** 63n - 1n }

/** Reads nothing. */
export function estimateSeries(plan: SeriesPlan, at: Snapshot): Estimate {
  const { request, table, range, divides, by } = plan
  const { groups, periods } = logged(plan)
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
    // The cost of ranking all hotspots is learned apart from that of reading some.
    ...estimateOf({ by: isRanked ? 'ranking index' : by }, plan, 0, at),
    sums: { cells: cells + ranked, rows: steps * named, lookups: countLookups(request) },
  }
}

function logged(plan: SeriesPlan): { readonly groups: number; readonly periods: number } {
  const groups = plan.table.statistics.groups(plan.range ?? EVERYTHING)
  let periods = 0
  let before: bigint | undefined
  for (const { period } of groups) {
    if (period !== before) periods += 1
    before = period
  }
  return { groups: groups.length, periods }
}

function countKeys({ groupBy, limit, owner, makerId, hotspotKeys }: SeriesRequest, at: Snapshot): number {
  if (hotspotKeys !== undefined) return hotspotKeys.length
  if (owner !== undefined || makerId !== undefined) return USUAL_HOTSPOTS
  const hotspotCount = at.table(hotspots).rows
  return groupBy === 'hotspot' ? Math.min(limit, hotspotCount) : hotspotCount
}

/** The same of the ledger, whose rows the engine adds up. */
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

/** Whether anything has a key is looked up for each of several. */
function countLookups({ hotspotKeys = [] }: SeriesRequest): number {
  return hotspotKeys.length
}
