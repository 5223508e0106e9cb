import { runInSlices } from '../../base/slices.ts'
import { firstPlace } from '../../base/values/first-place.ts'
import { type Part, partOf } from '../../catalog/query/connection.ts'
import type { Position } from '../../catalog/query/plan.ts'
import type { OrderStep, Resource } from '../../catalog/resource.ts'
import type { FoundRows } from '../../index/find-rows.ts'
import type { RowsOfKey } from '../../index/keyed/key-rows.ts'
import type { RowBlocks } from '../../index/row-blocks.ts'
import { groupColumns } from '../../lake/facts/series.ts'
import type { GroupsOfLog, IndexChoice, RowsOfLog } from './choose.ts'
import { type Asked, around, type ConnectionRows } from './connection.ts'
import { cutRanges } from './cut-ranges.ts'
import { groupRowsAtOnce } from './group-rows.ts'
import type { IndexSearch } from './index-search.ts'
import { keyedPlaceOf } from './keyed-place.ts'
import { compareRows } from './merge-rows.ts'

/** How many rows of a list come before a place; `included` counts the row at the place too. Undefined when a column is not stored. */
type RowsBefore = (place: Position, included: boolean) => number | undefined

/** The part of a list between cursors, and how many rows come before the first that it could have. */
function placeOf(
  { request }: Asked,
  total: number,
  before: RowsBefore,
): (Part & { low: number }) | undefined {
  const low = request.after === undefined ? 0 : before(request.after, true)
  const high = request.before === undefined ? total : before(request.before, false)
  return low === undefined || high === undefined ? undefined : { ...partOf(request, low, high), low }
}

/** The rows between cursors of a list that is read without waiting; undefined when a column is not stored. */
function connectionOf(asked: Asked, list: FoundRows, before: RowsBefore): ConnectionRows | undefined {
  const part = placeOf(asked, list.total, before)
  const rows = part && list.read(part.start, part.end, asked.columns)
  return part && rows && { rows, ...around(part, part.low, list.total) }
}

/** Rows of one key. The cursors are those of the table, so they may name the row of another key. */
export function connectionOfKey(asked: Asked, rows: RowsOfKey): ConnectionRows | undefined {
  const { resource } = asked.plan
  return connectionOf(asked, rows, (place, included) => rows.before(keyedPlaceOf(resource, place), included))
}

/** Rows read from indexes. Undefined when these do not have all. Errors: DamagedFile. */
export async function connectionOfIndex(
  asked: Asked,
  blocks: RowBlocks,
  choice: IndexChoice,
): Promise<ConnectionRows | undefined> {
  if ('search' in choice) return await connectionOfSearch(asked, choice.search)
  const { logged } = choice
  return 'groups' in logged
    ? connectionOfGroups(asked, blocks, logged)
    : connectionOfAll(asked, blocks, logged)
}

/** The rows to show are known once the cursors have their places; then they are compared, in turns. */
async function connectionOfSearch(asked: Asked, search: IndexSearch): Promise<ConnectionRows | undefined> {
  const { order } = asked.plan.resource
  const all = await runInSlices(search.rows({ start: 0, end: 0 }), asked.signal)
  if (all === undefined) return undefined
  const before: RowsBefore = (place, included) => rowsBefore(all, order, asked, place, included)
  const part = placeOf(asked, all.total, before)
  if (part === undefined) return undefined
  const found = await runInSlices(search.rows(part), asked.signal)
  const rows = found?.read(part.start, part.end, asked.columns)
  return rows && { rows, ...around(part, part.low, all.total) }
}

function connectionOfAll(asked: Asked, blocks: RowBlocks, { total, all }: RowsOfLog) {
  const { order } = asked.plan.resource
  const list: FoundRows = {
    total,
    read: (start, end, columns) => blocks.rows(cutRanges(all, start, end - start), columns),
  }
  return connectionOf(asked, list, (place, included) => rowsBefore(list, order, asked, place, included))
}

/** Rows whose groups the log counts: those before a cursor are the rows of earlier groups, and those of its own group that come before it. */
function connectionOfGroups(
  asked: Asked,
  blocks: RowBlocks,
  { range, total }: GroupsOfLog,
): ConnectionRows | undefined {
  const { resource } = asked.plan
  const { statistics } = asked.at.table(resource)
  const order = withinGroups(resource)
  const list: FoundRows = {
    total,
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
  list: FoundRows,
  order: readonly OrderStep[],
  { plan: { resource } }: Asked,
  place: Position,
  included: boolean,
): number | undefined {
  const columns = order.map(({ column }) => column)
  const bound = Object.fromEntries(resource.order.map(({ column }, step) => [column, place[step] ?? null]))
  let isThere = true
  const number = firstPlace(list.total, (at) => {
    const [row] = list.read(at, at + 1, columns) ?? []
    if (row === undefined) isThere = false
    const difference = row === undefined ? 1 : compareRows(order, row, bound)
    return included ? difference > 0 : difference >= 0
  })
  return isThere ? number : undefined
}
