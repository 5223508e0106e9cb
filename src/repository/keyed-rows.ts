import type { HotspotIndex } from '../hotspot-index/hotspot-index.ts'
import type { KeyedRows } from '../hotspot-index/keyed-rows.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import { stretchOf } from '../query/connection.ts'
import { keyedRangeOf } from '../query/group-range.ts'
import type { CountPlan, RowsPlan } from '../query/plan.ts'
import type { Asked, Connection } from './connection.ts'
import type { PageOfRows } from './pages.ts'
import { placeOf } from './ranked-connection.ts'

/** The rows of a plan that asks for those of one key, from the hotspot index; undefined when it cannot tell them. */
export function keyedRows(index: HotspotIndex, plan: CountPlan, at: Snapshot): KeyedRows | undefined {
  const asked = keyedRangeOf(plan)
  return asked && index.rows(at.table(plan.resource), asked.key, asked.range)
}

export function keyedPage(rows: KeyedRows, { offset, limit }: RowsPlan): PageOfRows {
  return { total: rows.total, rows: rows.read(offset, offset + limit) }
}

/** A stretch of the rows of one key. Its cursors are those of the table, so they may name the row of another key. */
export function keyedConnection(rows: KeyedRows, { plan, request }: Asked): Connection {
  const { after, before } = request
  const { resource } = plan
  const low = after === undefined ? 0 : rows.before(placeOf(resource, after), true)
  const high = before === undefined ? rows.total : rows.before(placeOf(resource, before), false)
  const { start, end } = stretchOf(request, low, high)
  return {
    rows: rows.read(start, end),
    hasNextPage: async () => end > start && end < rows.total,
    hasPreviousPage: async () => (end > start ? start : low) > 0,
  }
}
