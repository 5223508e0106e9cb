import { windowOf } from '../../catalog/query/connection.ts'
import type { GroupRange } from '../../catalog/query/group-range.ts'
import type { Position } from '../../catalog/query/plan.ts'
import type { RowNumberReads } from '../../engine/engine.ts'
import { around, type ConnectionQuery, type ConnectionRows, keyedPositionOf } from './connection.ts'
import { groupRows } from './group-rows.ts'

/**
 * Rows before a cursor are the rows of earlier groups, which the log counts, plus those of its group, by one narrow
 * count.
 */
export async function rankedConnection(
  byRowNumber: RowNumberReads,
  query: ConnectionQuery,
  range: GroupRange,
): Promise<ConnectionRows> {
  const { plan, columns, at, signal, request } = query
  const { statistics } = at.table(plan.resource)
  const total = statistics.count(range)
  const before = (position: Position, included: boolean) =>
    rowsUpTo(byRowNumber, query, range, position, included)
  const low = request.after === undefined ? 0 : await before(request.after, true)
  const high = request.before === undefined ? total : await before(request.before, false)
  const part = windowOf(request, low, high)
  const groups = statistics.cut(range, part.start, part.end - part.start)
  const rows = await groupRows(byRowNumber, { resource: plan.resource, columns }, groups, at, signal)
  return { rows, ...around(part, low, total) }
}

async function rowsUpTo(
  byRowNumber: RowNumberReads,
  { plan, at, signal }: ConnectionQuery,
  range: GroupRange,
  position: Position,
  included: boolean,
): Promise<number> {
  const { resource } = plan
  const { group } = keyedPositionOf(resource, position)
  const { before, rows, ranges } = at.table(resource).statistics.divide(range, group)
  if (rows === 0) return before
  const within = { resource, where: [], ranges }
  return included
    ? before + rows - (await byRowNumber.count({ ...within, after: position }, at, signal))
    : before + (await byRowNumber.count({ ...within, before: position }, at, signal))
}
