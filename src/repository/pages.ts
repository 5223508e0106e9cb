import type { Resource, Row } from '../catalog/resource.ts'
import type { Engine, PlacedReads } from '../engine/engine.ts'
import { ServiceError } from '../errors.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import { groupRangeOf } from '../query/group-range.ts'
import type { Predicate, RowsPlan } from '../query/plan.ts'
import type { SortedCopies } from '../sorted-copies/sorted-copies.ts'
import { forRecords, groupRows } from './group-rows.ts'
import { placePage } from './placed-page.ts'
import { findStretches, type SearchContext, toSearch } from './search.ts'

/** One page of the rows that match, and how many match. */
export interface PageOfRows {
  readonly total: number
  readonly rows: readonly Row[]
}

/** Decides what a page is read from: groups that the log counts, chunks that it tells of, or the files. */
export interface Pages {
  read(plan: RowsPlan, at: Snapshot, signal?: AbortSignal): Promise<PageOfRows>
  /** The first row that matches, uncounted. */
  first(
    resource: Resource,
    where: readonly Predicate[],
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<Row | undefined>
}

/** So many stretches are read one after the other, since one alone is read much faster than several as one. */
const FEW_STRETCHES = 4

export function openPages(engine: Engine, sortedCopies: SortedCopies): Pages {
  const { placed } = engine

  /** Sorted copies that cannot be read are used no longer; the table itself has the same answer. */
  async function withCopies<T>(
    placed: PlacedReads,
    resource: Resource,
    at: Snapshot,
    signal: AbortSignal | undefined,
    ask: (context: SearchContext) => Promise<T>,
  ): Promise<T> {
    const table = at.table(resource)
    const context = { placed, resource, at, sortedCopies: sortedCopies.of(table), signal }
    try {
      return await ask(context)
    } catch (error) {
      const isDamage = error instanceof ServiceError && error.code === 'lake_damaged'
      if (!isDamage || context.sortedCopies === undefined) throw error
      const answer = await ask({ ...context, sortedCopies: undefined })
      // The table itself can be read, so it was its sorted copies that cannot be.
      await sortedCopies.forget(table)
      return answer
    }
  }

  async function searchPage(plan: RowsPlan, context: SearchContext): Promise<PageOfRows> {
    const { total, plan: own } = await placePage(context, plan)
    return {
      total,
      rows: own === undefined ? [] : await context.placed.rows(own, context.at, context.signal),
    }
  }

  return {
    async read(plan, at, signal) {
      const range = groupRangeOf(plan)
      if (range !== undefined && placed !== undefined) {
        const { statistics } = at.table(plan.resource)
        const total = statistics.count(range)
        if (plan.offset >= total) return { total, rows: [] }
        const groups = statistics.cut(range, plan.offset, plan.limit)
        return { total, rows: await groupRows(placed, forRecords(plan, groups), groups, at, signal) }
      }
      if (plan.resource.access !== undefined && placed !== undefined) {
        return await withCopies(placed, plan.resource, at, signal, (context) => searchPage(plan, context))
      }
      const total = await engine.count(plan, at, signal)
      return { total, rows: plan.offset < total ? await engine.rows(plan, at, signal) : [] }
    },

    async first(resource, where, at, signal) {
      const plan = { resource, where, columns: Object.keys(resource.columns), limit: 1, offset: 0 }
      if (resource.access === undefined || placed === undefined)
        return (await engine.rows(plan, at, signal))[0]
      return await withCopies(placed, resource, at, signal, async (context) => {
        const found = await findStretches(context, where)
        if (found === undefined) return undefined
        const { stretches } = found
        const isFew = stretches.length <= FEW_STRETCHES
        for (const own of isFew ? stretches.map((stretch) => [stretch]) : [stretches]) {
          const [row] = await placed.rows({ ...plan, ...toSearch(found, own, 0) }, at, signal)
          if (row !== undefined) return row
        }
        return undefined
      })
    },
  }
}
