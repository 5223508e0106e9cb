import type { JsonObject } from '../../base/values/json-writer.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Earnings, EarningsRequest } from './earnings.ts'
import { earningsRecord } from './earnings-row.ts'
import { EarningsTotals } from './earnings-totals.ts'

/** Rows, and what precedes them in a summary: days, sums, gaps and unknown hotspots. */
interface EarningsSummary {
  readonly head: JsonObject
  readonly rows: readonly JsonObject[]
  /** Number of all rows. */
  readonly count: number
}

/** Sums all rows of earnings, and returns the first `most` of them. */
export async function earningsSummary(
  earnings: Earnings,
  { days, tz }: Pick<EarningsRequest, 'days' | 'tz'>,
  at: Snapshot,
  signal: AbortSignal,
  most = Number.POSITIVE_INFINITY,
): Promise<EarningsSummary> {
  const totals = new EarningsTotals()
  const rows: JsonObject[] = []
  for await (const batch of earnings.rows(signal))
    for (const row of batch) {
      totals.add(row)
      if (rows.length < most) rows.push(earningsRecord(row))
    }
  const head = {
    ...{ first_day: days.first, last_day: days.last, tz, snapshot: at.id },
    hotspots: earnings.hotspots.map(({ key, name }) => ({ hotspot_key: key, hotspot_name: name })),
    ...totals.toJson(),
  }
  return { head, rows, count: earnings.count }
}
