import type { OrderStep, Resource } from '../catalog/resource.ts'
import type { FoundRows } from '../index/find-rows.ts'
import type { RowsOfKey } from '../index/keyed/key-rows.ts'
import type { RowBlocks } from '../index/row-blocks.ts'
import { firstPlace } from '../lake/first-place.ts'
import { groupColumns } from '../lake/series.ts'
import { partOf } from '../query/connection.ts'
import type { GroupRange } from '../query/group-range.ts'
import type { Position } from '../query/plan.ts'
import { type Asked, around, type ConnectionRows } from './connection.ts'
import { groupRowsAtOnce } from './group-rows.ts'
import { keyedPlaceOf } from './keyed-place.ts'
import { compareRows } from './merge-rows.ts'

/** How many rows of a list come before a place; `included` counts the row at the place too. Undefined when blocks turn out to lack rows. */
type RowsBefore = (place: Position, included: boolean) => number | undefined

/** The rows between cursors of a list that is read without waiting; undefined when blocks turn out to lack some. */
function connectionOf(
  { request, columns }: Asked,
  { total, read }: FoundRows,
  before: RowsBefore,
): ConnectionRows | undefined {
  const low = request.after === undefined ? 0 : before(request.after, true)
  const high = request.before === undefined ? total : before(request.before, false)
  if (low === undefined || high === undefined) return undefined
  const part = partOf(request, low, high)
  const rows = read(part.start, part.end, columns)
  return rows && { rows, ...around(part, low, total) }
}

/** Rows of one key. The cursors are those of the table, so they may name the row of another key. */
export function connectionOfKey(asked: Asked, rows: RowsOfKey): ConnectionRows | undefined {
  const { resource } = asked.plan
  return connectionOf(asked, rows, (place, included) => rows.before(keyedPlaceOf(resource, place), included))
}

/** Rows that were found by the order of files. */
export function connectionOfFound(asked: Asked, list: FoundRows): ConnectionRows | undefined {
  const { order } = asked.plan.resource
  return connectionOf(asked, list, (place, included) => rowsBefore(list, order, asked, place, included))
}

/** Rows whose groups the log counts: those before a cursor are the rows of earlier groups, and those of its own group that come before it. */
export function connectionOfGroups(
  asked: Asked,
  blocks: Pick<RowBlocks, 'rows'>,
  range: GroupRange,
): ConnectionRows | undefined {
  const { resource } = asked.plan
  const { statistics } = asked.at.table(resource)
  const order = withinGroups(resource)
  const list: FoundRows = {
    total: statistics.count(range),
    read(start, end, columns) {
      const groups = statistics.cut(range, start, end - start)
      return groupRowsAtOnce(blocks, { resource, columns }, groups)
    },
  }
  return connectionOf(asked, list, (place, included) => {
    const { before, ranges } = statistics.divide(range, keyedPlaceOf(resource, place).group)
    let all = before
    for (const { file, first, end } of ranges) {
      const own: FoundRows = {
        total: end - first,
        read: (from, to, columns) => blocks.rows([{ file, first: first + from, end: first + to }], columns),
      }
      const rows = rowsBefore(own, order, asked, place, included)
      if (rows === undefined) return undefined
      all += rows
    }
    return all
  })
}

/** The order of the rows of one group. */
function withinGroups(resource: Resource): readonly OrderStep[] {
  const shared = groupColumns(resource)
  return resource.order.filter(({ column }) => !(column in shared))
}

function rowsBefore(
  { total, read }: FoundRows,
  order: readonly OrderStep[],
  { plan: { resource } }: Asked,
  place: Position,
  included: boolean,
): number | undefined {
  const columns = order.map(({ column }) => column)
  const bound = Object.fromEntries(resource.order.map(({ column }, step) => [column, place[step] ?? null]))
  let isThere = true
  const number = firstPlace(total, (at) => {
    const [row] = read(at, at + 1, columns) ?? []
    if (row === undefined) isThere = false
    const difference = row === undefined ? 1 : compareRows(order, row, bound)
    return included ? difference > 0 : difference >= 0
  })
  return isThere ? number : undefined
}
