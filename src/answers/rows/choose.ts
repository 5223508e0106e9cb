import {
  type GroupRange,
  groupRangeOf,
  type KeyedRange,
  keyedRangeOf,
} from '../../catalog/query/group-range.ts'
import type { CountPlan, RowRange, RowsPlan, SumsPlan } from '../../catalog/query/plan.ts'
import type { Engine } from '../../engine/engine.ts'
import { filesOf } from '../../engine/prune.ts'
import type { KeyIndex } from '../../index/keyed/key-index.ts'
import { leadingColumn } from '../../index/orders.ts'
import type { RowBlocks } from '../../index/row-blocks.ts'
import type { GroupRows } from '../../lake/facts/group-series.ts'
import { rangesInOrder } from '../../lake/snapshot/chunk-order.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { findBlocked } from './blocked-rows.ts'
import { cutRanges } from './cut-ranges.ts'
import type { IndexSearch } from './index-search.ts'

/** The log counts the groups of a range and locates the rows of a page. */
export interface GroupsOfLog {
  readonly total: number
  readonly range: GroupRange
  readonly groups: readonly GroupRows[]
}

/** The files of a table do not overlap, so every row has a number. */
export interface RowsOfLog {
  readonly total: number
  readonly ranges: readonly RowRange[]
  readonly page: readonly RowRange[]
}

/** The access path of a plan, chosen before a data file is read. The choice may read blocks of an index. */
export type Choice =
  /** The log has the sums. */
  | { readonly by: 'log'; readonly range: GroupRange }
  /** The log locates the rows; an index or a data file has them. */
  | { readonly by: 'index' | 'engine'; readonly logged: GroupsOfLog | RowsOfLog }
  /** An index finds the rows after comparing `compared` rows. */
  | { readonly by: 'index'; readonly search: IndexSearch; readonly compared: number }
  /** The rows of one key are adjacent in an index. */
  | ({ readonly by: 'index' } & KeyedRange)
  | { readonly by: 'engine' }

export type IndexChoice = Extract<Choice, { logged: unknown } | { search: unknown }>

export type Verb = 'page' | 'connection' | 'totals'

export interface AccessPaths {
  readonly engine: Engine
  readonly index: KeyIndex
  readonly blocks: RowBlocks
}

/** Above this count the engine is faster, and uses more cores. */
const MOST_COMPARED = 1_000_000

export function choose(
  verb: Verb,
  plan: CountPlan & Partial<Pick<SumsPlan, 'groupBy'> & Pick<RowsPlan, 'offset' | 'limit'>>,
  at: Snapshot,
  { engine, index, blocks }: AccessPaths,
): Choice {
  if (plan.groupBy !== undefined && plan.groupBy.length > 0) return { by: 'engine' }
  const range = groupRangeOf(plan)
  if (range !== undefined && verb === 'totals') return { by: 'log', range }
  const table = at.table(plan.resource)
  if (range !== undefined) return ofGroups(table, range, verb, plan, at, blocks)
  const keyed = keyedRangeOf(plan)
  if (keyed !== undefined && index.covers(table, keyed.range)) return { by: 'index', ...keyed }
  if (verb === 'totals' || plan.resource.access === undefined || engine.byRowNumber === undefined)
    return { by: 'engine' }
  const logged = plan.where.length === 0 ? allRows(table, plan) : undefined
  if (logged !== undefined) {
    const ranges = verb === 'page' ? logged.page : logged.ranges
    return { by: ranges.every(({ file }) => blocks.has(file)) ? 'index' : 'engine', logged }
  }
  const search = blocks.attempt(() => findBlocked(blocks, plan, at))
  const { offset = 0, limit = 0 } = plan
  const compared = search?.costOf({ start: offset, end: offset + limit }) ?? 0
  return search === undefined || compared > MOST_COMPARED
    ? { by: 'engine' }
    : { by: 'index', search, compared }
}

function ofGroups(
  { statistics }: TableSnapshot,
  range: GroupRange,
  verb: Verb,
  plan: Parameters<typeof choose>[1],
  at: Snapshot,
  blocks: RowBlocks,
): Choice {
  const total = statistics.count(range)
  const { offset = 0, limit = 0 } = plan
  const groups = offset < total ? statistics.cut(range, offset, limit) : []
  const isIndexed =
    verb === 'page'
      ? groups.every(({ file }) => blocks.has(file))
      : filesOf(plan, at).every(({ path }) => blocks.has(path))
  return { by: isIndexed ? 'index' : 'engine', logged: { total, range, groups } }
}

const orders = new WeakMap<TableSnapshot, readonly RowRange[] | undefined>()

/** Returns undefined if the files of the table overlap. */
function allRows(
  table: TableSnapshot,
  { offset = 0, limit = 0 }: Partial<Pick<RowsPlan, 'offset' | 'limit'>>,
): RowsOfLog | undefined {
  if (!orders.has(table)) orders.set(table, rangesInOrder(table.files, leadingColumn(table.resource)))
  const ranges = orders.get(table)
  return ranges && { total: table.rows, ranges, page: cutRanges(ranges, offset, limit) }
}
