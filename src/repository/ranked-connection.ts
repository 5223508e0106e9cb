import type { Value } from '../catalog/column.ts'
import { stretchOf } from '../query/connection.ts'
import type { GroupRange } from '../query/group-range.ts'
import type { Position, Predicate, RowsPlan } from '../query/plan.ts'
import type { Asked, Connection } from './connection.ts'
import { groupRows } from './group-rows.ts'

/**
 * Where the log carries counts, a cursor becomes the number of rows before it: those of the groups before its own,
 * and those of its own group, which one narrow count tells. The page is then read by its place.
 */
export async function rankedConnection(asked: Asked, range: GroupRange): Promise<Connection> {
  const { engine, plan, columns, request, at, signal } = asked
  const { tally } = at.table(plan.resource)
  const total = tally.count(range)
  const low = request.after === undefined ? 0 : await rowsUpTo(asked, range, request.after, true)
  const high = request.before === undefined ? total : await rowsUpTo(asked, range, request.before, false)
  const { start, end } = stretchOf(request, low, high)
  const page: RowsPlan = { ...plan, columns, offset: start, limit: end - start }
  return {
    rows: await groupRows(engine, page, tally.cut(range, start, end - start), at, signal),
    hasNextPage: async () => end > start && end < total,
    hasPreviousPage: async () => (end > start ? start : low) > 0,
  }
}

/** Matching rows before a place; `included` counts the row at the place too. */
async function rowsUpTo(
  { engine, plan, at, signal }: Asked,
  range: GroupRange,
  place: Position,
  included: boolean,
): Promise<number> {
  const { resource } = plan
  const columns = resource.order.map((step) => step.column)
  const placeOf = (column: string): Value => place[columns.indexOf(column)] ?? null
  const group = {
    end_period: placeOf('end_period') as bigint,
    reward_type: String(placeOf('reward_type')),
    source: String(placeOf('source_file')),
  }
  const { before, rows, ranges } = at.table(resource).tally.divide(range, group)
  if (rows === 0) return before
  const where = ['end_period', 'reward_type', 'source_file'].map(
    (column): Predicate => ({ column, match: 'equals', value: placeOf(column) as NonNullable<Value> }),
  )
  const within = { resource, where, ranges }
  return included
    ? before + rows - (await engine.count({ ...within, after: place }, at, signal))
    : before + (await engine.count({ ...within, before: place }, at, signal))
}
