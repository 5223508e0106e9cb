import { bigintOf, type Value } from '../catalog/column.ts'
import { groupedBy, type Resource, type Row } from '../catalog/resource.ts'
import type { PlacedReads } from '../engine/engine.ts'
import type { KeyedPlace, KeyedRows } from '../hotspot-index/keyed-rows.ts'
import { partOf } from '../query/connection.ts'
import type { GroupRange } from '../query/group-range.ts'
import type { Position } from '../query/plan.ts'
import type { Asked, ConnectionRows } from './connection.ts'
import { groupRows } from './group-rows.ts'

/** A list whose rows have numbers, and how many of them come before a cursor; `included` counts the row of the cursor too. */
interface Numbered {
  readonly total: number
  before(place: Position, included: boolean): number | Promise<number>
  read(start: number, end: number): readonly Row[] | Promise<readonly Row[]>
}

async function numberedConnection({ request }: Asked, { total, ...list }: Numbered): Promise<ConnectionRows> {
  const low = request.after === undefined ? 0 : await list.before(request.after, true)
  const high = request.before === undefined ? total : await list.before(request.before, false)
  const { start, end } = partOf(request, low, high)
  return {
    rows: await list.read(start, end),
    hasNextPage: async () => end > start && end < total,
    hasPreviousPage: async () => (end > start ? start : low) > 0,
  }
}

/** Rows of one key. The cursors are those of the table, so they may name the row of another key. */
export function keyedConnection(rows: KeyedRows, asked: Asked): Promise<ConnectionRows> {
  const { resource } = asked.plan
  return numberedConnection(asked, {
    total: rows.total,
    before: (place, included) => rows.before(placeOf(resource, place), included),
    read: (start, end) => rows.read(start, end),
  })
}

/**
 * Where the log carries counts, the rows before a cursor are those of the groups before its own, and those of its own
 * group, which one narrow count finds.
 */
export function rankedConnection(
  placed: PlacedReads,
  asked: Asked,
  range: GroupRange,
): Promise<ConnectionRows> {
  const { plan, columns, at, signal } = asked
  const { statistics } = at.table(plan.resource)
  return numberedConnection(asked, {
    total: statistics.count(range),
    before: (place, included) => rowsUpTo(placed, asked, range, place, included),
    read: (start, end) => {
      const groups = statistics.cut(range, start, end - start)
      return groupRows(placed, { resource: plan.resource, columns }, groups, at, signal)
    },
  })
}

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
function placeOf(resource: Resource, place: Position): KeyedPlace {
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
