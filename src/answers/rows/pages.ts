import { runAtOnce, runInSlices, type Steps } from '../../base/slices.ts'
import type { RowsPlan } from '../../catalog/query/plan.ts'
import { toRangesPlan } from '../../catalog/query/to-plan.ts'
import type { Row } from '../../catalog/resource.ts'
import type { FoundRows } from '../../index/matching-rows.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { AccessPaths, Choice, GroupsOfLog, IndexChoice, RowsOfLog } from './choose.ts'
import { forRecords, groupRows, peekGroupRows } from './group-rows.ts'

/** A page of matching rows, and their total. */
interface PageOfRows {
  readonly total: number
  readonly rows: readonly Row[]
  readonly by: Choice['by']
}

/** Reads pages by their access path. */
export interface Pages {
  read(choice: Choice, plan: RowsPlan, at: Snapshot, signal?: AbortSignal): Promise<PageOfRows>
  /** Returns the page without I/O; undefined if that is not possible. */
  peek(choice: Choice, plan: RowsPlan, at: Snapshot): PageOfRows | undefined
  /** The first matching row, uncounted. */
  first(choice: Choice, plan: RowsPlan, at: Snapshot, signal?: AbortSignal): Promise<Row | undefined>
}

/** Limit of compared rows for a synchronous response. */
export const MOST_AT_ONCE = 8192

/** If an index is damaged, the engine answers instead. */
export function openPages({ engine, index, blocks }: AccessPaths): Pages {
  function logged(logged: GroupsOfLog | RowsOfLog, plan: RowsPlan): PageOfRows | undefined {
    const rows =
      'groups' in logged
        ? peekGroupRows(blocks, forRecords(plan, logged.groups), logged.groups)
        : blocks.rows(logged.page, plan.columns)
    return rows && { total: logged.total, rows, by: 'index' }
  }

  function* searched(choice: IndexChoice, plan: RowsPlan): Steps<PageOfRows | undefined> {
    if ('logged' in choice) return logged(choice.logged, plan)
    const window = { start: plan.offset, end: plan.offset + plan.limit }
    const foundRows: FoundRows | undefined = yield* choice.search.rows(window)
    const rows = foundRows?.read(window.start, window.end, plan.columns)
    return foundRows && rows && { total: foundRows.total, rows, by: 'index' }
  }

  function ofKey({ key, range, by }: Extract<Choice, { key: string }>, plan: RowsPlan, at: Snapshot) {
    const rows = index.rows(at.table(plan.resource), key, range)
    return rows && { total: rows.total, rows: rows.read(plan.offset, plan.offset + plan.limit), by }
  }

  function peek(choice: Choice, plan: RowsPlan, at: Snapshot): PageOfRows | undefined {
    if ('key' in choice) return ofKey(choice, plan, at)
    if (choice.by !== 'index' || ('compared' in choice && choice.compared > MOST_AT_ONCE)) return undefined
    return blocks.attempt(() => runAtOnce(searched(choice, plan)))
  }

  async function ofEngine(
    choice: Choice,
    plan: RowsPlan,
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<PageOfRows> {
    const logged = 'logged' in choice ? choice.logged : undefined
    const total = logged?.total ?? (await engine.count(plan, at, signal))
    const by = 'engine'
    if (plan.offset >= total) return { total, rows: [], by }
    const { byRowNumber } = engine
    if (logged === undefined || byRowNumber === undefined)
      return { total, rows: await engine.rows(plan, at, signal), by }
    const rows =
      'groups' in logged
        ? await groupRows(byRowNumber, forRecords(plan, logged.groups), logged.groups, at, signal)
        : await byRowNumber.rows(toRangesPlan(plan, logged.page), at, signal)
    return { total, rows, by }
  }

  return {
    peek,

    async read(choice, plan, at, signal) {
      if (choice.by === 'engine') return await ofEngine(choice, plan, at, signal)
      const page =
        choice.by === 'log' || 'key' in choice
          ? peek(choice, plan, at)
          : await blocks.attemptLater(() => runInSlices(searched(choice, plan), signal))
      return page ?? (await ofEngine(choice, plan, at, signal))
    },

    async first(choice, plan, at, signal) {
      if (!('search' in choice)) return (await engine.rows(plan, at, signal))[0]
      const { search } = choice
      const rows = await blocks.attemptLater(() => runInSlices(search.first(1, plan.columns), signal))
      return (rows ?? (await engine.rows(plan, at, signal)))[0]
    },
  }
}
