import type { KeyedRows } from '../hotspot-index/keyed-rows.ts'
import { partOf } from '../query/connection.ts'
import type { Asked, Connection } from './connection.ts'
import { placeOf } from './ranked-connection.ts'

/** A stretch of the rows of one key. Its cursors are those of the table, so they may name the row of another key. */
export function keyedConnection(rows: KeyedRows, { plan, request }: Asked): Connection {
  const { after, before } = request
  const { resource } = plan
  const low = after === undefined ? 0 : rows.before(placeOf(resource, after), true)
  const high = before === undefined ? rows.total : rows.before(placeOf(resource, before), false)
  const { start, end } = partOf(request, low, high)
  return {
    rows: rows.read(start, end),
    hasNextPage: async () => end > start && end < rows.total,
    hasPreviousPage: async () => (end > start ? start : low) > 0,
  }
}
