import type { Steps } from '../../base/slices.ts'
import { firstIndex } from '../../base/values/first-index.ts'
import { type RowWindow, windowOf } from '../../catalog/query/connection.ts'
import type { Position } from '../../catalog/query/plan.ts'
import type { OrderStep, Resource } from '../../catalog/resource.ts'
import type { RowsOfKey } from '../../index/keyed/key-rows.ts'
import type { FoundRows } from '../../index/matching-rows.ts'
import type { RowBlocks } from '../../index/row-blocks.ts'
import { groupColumns } from '../../lake/facts/group-series.ts'
import type { GroupsOfLog, IndexChoice, RowsOfLog } from './choose.ts'
import { around, type ConnectionQuery, type ConnectionRows, keyedPositionOf } from './connection.ts'
import { cutRanges } from './cut-ranges.ts'
import { peekGroupRows } from './group-rows.ts'
import type { IndexSearch } from './index-search.ts'
import { compareRows } from './merge-rows.ts'

/**
 * Counts the rows of a list before a position; `included` adds the row at the position. Returns undefined if a column
 * is not stored.
 */
type RowsBefore = (position: Position, included: boolean) => number | undefined

/** The part of a list between the cursors; `low` counts the rows before the first possible one. */
function locatePart(
  { request }: ConnectionQuery,
  total: number,
  before: RowsBefore,
): (RowWindow & { low: number }) | undefined {
  const low = request.after === undefined ? 0 : before(request.after, true)
  const high = request.before === undefined ? total : before(request.before, false)
  return low === undefined || high === undefined ? undefined : { ...windowOf(request, low, high), low }
}

/** Returns undefined if a column is not stored. */
function connectionOf(
  query: ConnectionQuery,
  list: FoundRows,
  before: RowsBefore,
): ConnectionRows<boolean> | undefined {
  const part = locatePart(query, list.total, before)
  const rows = part && list.read(part.start, part.end, query.columns)
  return part && rows && { rows, ...around(part, part.low, list.total) }
}

/** A cursor may name a row of another key. */
export function connectionOfKey(
  query: ConnectionQuery,
  rows: RowsOfKey,
): ConnectionRows<boolean> | undefined {
  const { resource } = query.plan
  return connectionOf(query, rows, (position, included) =>
    rows.before(keyedPositionOf(resource, position), included),
  )
}

/** Reads a connection from indexes; undefined if they do not have all rows. Errors: DamagedFile. */
export function* connectionOfIndex(
  query: ConnectionQuery,
  blocks: RowBlocks,
  choice: IndexChoice,
): Steps<ConnectionRows<boolean> | undefined> {
  if ('search' in choice) return yield* connectionOfSearch(query, choice.search)
  const { logged } = choice
  return 'groups' in logged
    ? connectionOfGroups(query, blocks, logged)
    : connectionOfAll(query, blocks, logged)
}

/** Locates the cursors first, then compares the rows of the part in slices. */
function* connectionOfSearch(
  query: ConnectionQuery,
  search: IndexSearch,
): Steps<ConnectionRows<boolean> | undefined> {
  const { order } = query.plan.resource
  const matches = yield* search.rows({ start: 0, end: 0 })
  if (matches === undefined) return undefined
  const before: RowsBefore = (position, included) => rowsBefore(matches, order, query, position, included)
  const part = locatePart(query, matches.total, before)
  if (part === undefined) return undefined
  const partRows = yield* search.rows(part)
  const rows = partRows?.read(part.start, part.end, query.columns)
  return rows && { rows, ...around(part, part.low, matches.total) }
}

function connectionOfAll(query: ConnectionQuery, blocks: RowBlocks, { total, ranges: rows }: RowsOfLog) {
  const { order } = query.plan.resource
  const list: FoundRows = {
    total,
    read: (start, end, columns) => blocks.rows(cutRanges(rows, start, end - start), columns),
  }
  return connectionOf(query, list, (position, included) => rowsBefore(list, order, query, position, included))
}

/** Counts the rows before a cursor: rows of earlier groups, plus earlier rows of its group. */
function connectionOfGroups(
  query: ConnectionQuery,
  blocks: RowBlocks,
  { range, total }: GroupsOfLog,
): ConnectionRows<boolean> | undefined {
  const { resource } = query.plan
  const { statistics } = query.at.table(resource)
  const order = withinGroups(resource)
  const list: FoundRows = {
    total,
    read(start, end, columns) {
      const groups = statistics.cut(range, start, end - start)
      return peekGroupRows(blocks, { resource, columns }, groups)
    },
  }
  return connectionOf(query, list, (position, included) => {
    const { before, ranges } = statistics.divide(range, keyedPositionOf(resource, position).group)
    let rowNumber = before
    for (const { file, first, end } of ranges) {
      const window: FoundRows = {
        total: end - first,
        read: (from, to, columns) => blocks.rows([{ file, first: first + from, end: first + to }], columns),
      }
      const rows = rowsBefore(window, order, query, position, included)
      if (rows === undefined) return undefined
      rowNumber += rows
    }
    return rowNumber
  })
}

function withinGroups(resource: Resource): readonly OrderStep[] {
  const shared = groupColumns(resource)
  return resource.order.filter(({ column }) => !(column in shared))
}

function rowsBefore(
  list: FoundRows,
  order: readonly OrderStep[],
  { plan: { resource } }: ConnectionQuery,
  position: Position,
  included: boolean,
): number | undefined {
  const columns = order.map(({ column }) => column)
  const bound = Object.fromEntries(resource.order.map(({ column }, step) => [column, position[step] ?? null]))
  let isThere = true
  const number = firstIndex(list.total, (at) => {
    const [row] = list.read(at, at + 1, columns) ?? []
    if (row === undefined) isThere = false
    const difference = row === undefined ? 1 : compareRows(order, row, bound)
    return included ? difference > 0 : difference >= 0
  })
  return isThere ? number : undefined
}
