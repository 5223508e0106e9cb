import { bigintOf } from '../../catalog/column.ts'
import type { SumsPlan } from '../../catalog/query/plan.ts'
import { toSeriesSums } from '../../catalog/query/to-plan.ts'
import { groupedBy } from '../../catalog/resource.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { SeriesCell } from './series-fold.ts'

/** Receives cells in slices of the event loop. */
export type AddCells = (cells: Iterable<SeriesCell>) => Promise<void>

/** Reads cells in the engine, grouped by a column; without a column all are in the group null. */
export async function addEngineCells(
  engine: Engine,
  { resource, where, prices }: Pick<SumsPlan, 'resource' | 'where' | 'prices'>,
  column: string | undefined,
  at: Snapshot,
  groupOf: (value: string | null) => string | null,
  add: AddCells,
  signal?: AbortSignal,
): Promise<void> {
  const { period } = groupedBy(resource)
  const groupBy = ['source_file', period, ...(column === undefined ? [] : [column])]
  const plan = { resource, where, prices, sums: toSeriesSums(resource), groupBy: [...new Set(groupBy)] }
  const groups = await engine.sums(plan, at, signal)
  function* cells() {
    for (const { group, sums } of groups) {
      const key = column === undefined ? null : (group[column] ?? null)
      yield {
        source: String(group.source_file),
        period: bigintOf(group[period]),
        group: groupOf(key === null ? null : String(key)),
        sums: Object.values(sums),
      }
    }
  }
  await add(cells())
}
