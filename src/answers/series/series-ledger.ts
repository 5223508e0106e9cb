import { runInSlices, type Steps } from '../../base/slices.ts'
import { bigintOf } from '../../catalog/column.ts'
import { calendarOf } from '../../catalog/query/calendar.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import { type SumsPlan, whereKeys } from '../../catalog/query/plan.ts'
import type { SeriesRequest } from '../../catalog/query/series-parameters.ts'
import { toCountPlan, toSeriesSums } from '../../catalog/query/to-plan.ts'
import { LEDGER_TOKEN } from '../../catalog/records/series-record.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Engine, SumGroup } from '../../engine/engine.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { type SeriesCell, SeriesFold } from './series-fold.ts'
import { rankRows } from './series-rank.ts'
import type { SeriesRows } from './series-rows.ts'

/** End of 2099: no block is later. */
const LAST_SECOND = 4_102_444_799n

/** Groups per slice of the event loop. */
const GROUPS_AT_ONCE = 256

/** Returns the rows of a ledger series, which the engine sums. Ledger rows have a time and no period. */
export async function ledgerSeries(
  engine: Engine,
  resource: Resource,
  filters: Filters,
  { groupBy, hotspotKeys, interval, tz, limit }: SeriesRequest,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<SeriesRows> {
  const ofHotspots = whereKeys(resource.series?.groupBy.hotspot ?? '', hotspotKeys)
  const where = [...toCountPlan(resource, filters).where, ...ofHotspots]
  const time = resource.partition?.of ?? ''
  const column = groupBy === null ? undefined : resource.series?.groupBy[groupBy]
  const sums = toSeriesSums(resource)
  const calendar = calendarOf(tz, interval)
  const [first, last] = rangeOf(time, where, at, resource)
  // One extra group detects further groups, and one may have no value.
  const greatest = column === undefined ? {} : { greatest: { of: Object.keys(sums), limit: limit + 2 } }
  const groups = await engine.sums(
    {
      ...{ resource, where, sums, prices: new Map<string, bigint>() },
      groupBy: column === undefined ? [] : [column],
      ...(interval !== 'all' && { steps: { of: time, starts: calendar.starts(first, last) } }),
      ...greatest,
    },
    at,
    signal,
  )
  return await runInSlices(rowsOf(groups), signal)

  function* rowsOf(groups: readonly SumGroup[]): Steps<SeriesRows> {
    const paid: SeriesCell[] = []
    const names = new Set<string>()
    for (const [index, group] of groups.entries()) {
      if (index % GROUPS_AT_ONCE === 0) yield
      const cell = cellOf(group, column)
      // A sum over nothing is one empty group.
      if (column === undefined && cell.sums.every((sum) => sum <= 0n)) continue
      paid.push(cell)
      if (cell.group !== null) names.add(cell.group)
    }
    const shown = names.size <= limit ? paid : paid.filter(({ group }) => group !== null)
    const fold = new SeriesFold(resource)
    yield* fold.add(shown, (_, period) => ({
      ...{ start: calendar.startOf(period), token: LEDGER_TOKEN, price: null },
    }))
    return yield* rankRows(fold, limit)
  }
}

function cellOf({ group, sums }: SumGroup, column: string | undefined): SeriesCell {
  const key = column === undefined ? null : (group[column] ?? null)
  const step = group.step === undefined ? 0n : bigintOf(group.step)
  return {
    ...{ source: '', period: step * 1_000_000n },
    group: key === null ? null : String(key),
    sums: Object.values(sums),
  }
}

/** Range of times of a plan, narrowed by the chunk bounds of the log. */
function rangeOf(
  time: string,
  where: SumsPlan['where'],
  at: Snapshot,
  resource: Resource,
): readonly [first: bigint, last: bigint] {
  let [first, last] = [LAST_SECOND, 0n]
  for (const { bounds } of at.table(resource).files.flatMap(({ chunks }) => chunks)) {
    const [least, most] = bounds[time] ?? [0n, LAST_SECOND]
    if (typeof least === 'bigint' && least < first) first = least
    if (typeof most === 'bigint' && most > last) last = most
  }
  for (const { column, match, value } of where) {
    if (column !== time || typeof value !== 'bigint') continue
    if (match === 'atLeast' && value > first) first = value
    if (match === 'atMost' && value < last) last = value
  }
  return [first, last]
}
