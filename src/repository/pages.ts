import type { Row } from '../catalog/resource.ts'
import type { RowBlocks } from '../index/row-blocks.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { RowsPlan } from '../query/plan.ts'
import type { SortedCopies } from '../sorted-copies/sorted-copies.ts'
import { findBlocked } from './blocked-rows.ts'
import { type Answerers, type Choice, placedOf } from './choose.ts'
import type { Asked, ConnectionRows } from './connection.ts'
import { connectionOfFound, connectionOfGroups, connectionOfKey } from './connection-at-once.ts'
import { forRecords, groupRows, groupRowsAtOnce } from './group-rows.ts'
import { placePage } from './placed-page.ts'
import { findStretches, type SearchContext, toSearch } from './search.ts'
import { openWithCopies } from './with-copies.ts'

/** One page of the rows that match, and how many match. */
interface PageOfRows {
  readonly total: number
  readonly rows: readonly Row[]
}

/** Reads pages from what was chosen. */
export interface Pages {
  read(choice: Choice, plan: RowsPlan, at: Snapshot, signal?: AbortSignal): Promise<PageOfRows>
  /** The same from what can be read without waiting; undefined when that is not all. */
  atOnce(choice: Choice, plan: RowsPlan, at: Snapshot): PageOfRows | undefined
  /** The rows between cursors, likewise. */
  connectionAtOnce(choice: Choice, asked: Asked): ConnectionRows | undefined
  /** The first row that matches, uncounted. */
  first(choice: Choice, plan: RowsPlan, at: Snapshot, signal?: AbortSignal): Promise<Row | undefined>
}

/** At most so many stretches are read one after the other, since one alone is read much faster than several as one. */
const FEW_STRETCHES = 4

export function openPages(
  { engine, index }: Answerers,
  sortedCopies: SortedCopies,
  blocks: RowBlocks,
): Pages {
  const withCopies = openWithCopies(engine, sortedCopies)

  async function pageOf(total: number, plan: RowsPlan, at: Snapshot, signal?: AbortSignal) {
    return { total, rows: plan.offset < total ? await engine.rows(plan, at, signal) : [] }
  }

  async function searchPage(plan: RowsPlan, context: SearchContext): Promise<PageOfRows> {
    const { total, plan: own } = await placePage(context, plan)
    return {
      total,
      rows: own === undefined ? [] : await context.placed.rows(own, context.at, context.signal),
    }
  }

  function atOnce(choice: Choice, plan: RowsPlan, at: Snapshot): PageOfRows | undefined {
    const table = at.table(plan.resource)
    const end = plan.offset + plan.limit
    switch (choice.by) {
      case 'placed': {
        const total = table.statistics.count(choice.range)
        if (plan.offset >= total) return { total, rows: [] }
        const groups = table.statistics.cut(choice.range, plan.offset, plan.limit)
        const rows = groupRowsAtOnce(blocks, forRecords(plan, groups), groups)
        return rows && { total, rows }
      }
      case 'hotspot-index': {
        const rows = index.rows(table, choice.key, choice.range)
        return rows && { total: rows.total, rows: rows.read(plan.offset, end) }
      }
      case 'search': {
        const found = findBlocked(blocks, sortedCopies, plan, at)
        const rows = found?.read(plan.offset, end, plan.columns)
        return found && rows && { total: found.total, rows }
      }
      default:
        return undefined
    }
  }

  function connectionAtOnce(choice: Choice, asked: Asked): ConnectionRows | undefined {
    const { plan, at } = asked
    const table = at.table(plan.resource)
    switch (choice.by) {
      case 'placed':
        return connectionOfGroups(asked, blocks, choice.range)
      case 'hotspot-index': {
        const rows = index.rows(table, choice.key, choice.range)
        return rows && connectionOfKey(asked, rows)
      }
      default: {
        const found = findBlocked(blocks, sortedCopies, plan, at)
        return found && connectionOfFound(asked, found)
      }
    }
  }

  async function read(
    choice: Choice,
    plan: RowsPlan,
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<PageOfRows> {
    const table = at.table(plan.resource)
    switch (choice.by) {
      case 'placed': {
        const total = table.statistics.count(choice.range)
        if (plan.offset >= total) return { total, rows: [] }
        const groups = table.statistics.cut(choice.range, plan.offset, plan.limit)
        const rows = await groupRows(placedOf(engine), forRecords(plan, groups), groups, at, signal)
        return { total, rows }
      }
      case 'counted':
        return await pageOf(table.statistics.count(choice.range), plan, at, signal)
      case 'hotspot-index': {
        const rows = index.rows(table, choice.key, choice.range)
        if (rows === undefined) return await read(choice.otherwise, plan, at, signal)
        return { total: rows.total, rows: rows.read(plan.offset, plan.offset + plan.limit) }
      }
      case 'search':
        return await withCopies(plan.resource, at, signal, (context) => searchPage(plan, context))
      default:
        return await pageOf(await engine.count(plan, at, signal), plan, at, signal)
    }
  }

  async function first(
    choice: Choice,
    plan: RowsPlan,
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<Row | undefined> {
    if (choice.by !== 'search') return (await engine.rows(plan, at, signal))[0]
    return await withCopies(plan.resource, at, signal, async (context) => {
      const found = await findStretches(context, plan.where)
      if (found === undefined) return undefined
      const { stretches } = found
      const isFew = stretches.length <= FEW_STRETCHES
      for (const own of isFew ? stretches.map((stretch) => [stretch]) : [stretches]) {
        const [row] = await context.placed.rows({ ...plan, ...toSearch(found, own, 0) }, at, signal)
        if (row !== undefined) return row
      }
      return undefined
    })
  }

  return { read, atOnce, connectionAtOnce, first }
}
