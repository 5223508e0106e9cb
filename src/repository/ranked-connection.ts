import { bigintOf, type Value } from '../catalog/column.ts'
import { groupedBy, type Resource } from '../catalog/resource.ts'
import type { PlacedReads } from '../engine/engine.ts'
import type { KeyedPlace } from '../hotspot-index/keyed-rows.ts'
import { partOf } from '../query/connection.ts'
import type { GroupRange } from '../query/group-range.ts'
import type { Position } from '../query/plan.ts'
import type { Asked, Connection } from './connection.ts'
import { groupRows } from './group-rows.ts'

/**
 * Where the log carries counts, a cursor becomes the number of rows before it: those of the groups before its own,
 * and those of its own group, which one narrow count tells. The page is then read by its place.
 */
export async function rankedConnection(
  placed: PlacedReads,
  asked: Asked,
  range: GroupRange,
): Promise<Connection> {
  const { plan, columns, request, at, signal } = asked
  const { statistics } = at.table(plan.resource)
  const total = statistics.count(range)
  const low = request.after === undefined ? 0 : await rowsUpTo(placed, asked, range, request.after, true)
  const high =
    request.before === undefined ? total : await rowsUpTo(placed, asked, range, request.before, false)
  const { start, end } = partOf(request, low, high)
  const groups = statistics.cut(range, start, end - start)
  return {
    rows: await groupRows(placed, { resource: plan.resource, columns }, groups, at, signal),
    hasNextPage: async () => end > start && end < total,
    hasPreviousPage: async () => (end > start ? start : low) > 0,
  }
}

/** Matching rows before a place; `included` counts the row at the place too. */
async function rowsUpTo(
  placed: PlacedReads,
  { plan, at, signal }: Asked,
  range: GroupRange,
  place: Position,
  included: boolean,
): Promise<number> {
  const { resource } = plan
  const { group } = placeOf(resource, place)
  const { before, rows, ranges } = at.table(resource).statistics.divide(range, group)
  if (rows === 0) return before
  const within = { resource, where: [], ranges }
  return included
    ? before + rows - (await placed.count({ ...within, after: place }, at, signal))
    : before + (await placed.count({ ...within, before: place }, at, signal))
}

/** A place in the order of a grouped table, which begins with what tells its groups apart. */
export function placeOf(resource: Resource, place: Position): KeyedPlace {
  const { order, keyed } = resource
  const { period, type } = groupedBy(resource)
  const valueAt = (column = ''): Value => place[order.findIndex((step) => step.column === column)] ?? null
  const key = valueAt(keyed)
  return {
    group: {
      period: bigintOf(valueAt(period)),
      type: String(valueAt(type)),
      source: String(valueAt('source_file')),
    },
    key: key === null ? null : String(key),
    ordinal: bigintOf(valueAt('ordinal')),
  }
}
