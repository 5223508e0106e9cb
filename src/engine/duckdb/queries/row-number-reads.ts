import type { DuckDBMaterializedResult } from '@duckdb/node-api'
import type { RangeCountPlan, RangeRowsPlan } from '../../../catalog/query/plan.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import type { RowNumberReads } from '../../engine.ts'
import type { Statement } from '../../sql/compile.ts'
import type { LacksOf } from '../../sql/scan.ts'
import { toColumns, toRows } from '../duckdb-values.ts'
import { rowsOfResult } from '../rows-of-result.ts'
import { compileRangeCount, compileRangeRows } from './compile-ranges.ts'

export type RunRanges = (
  statement: Statement,
  plan: RangeCountPlan,
  at: Snapshot,
  signal: AbortSignal | undefined,
) => Promise<DuckDBMaterializedResult>

/** Reads Parquet files by row number. */
export function rowNumberReads(
  readRanges: RunRanges,
  lacksOf: (plan: RangeCountPlan, at: Snapshot) => LacksOf,
): RowNumberReads {
  async function readRows(plan: RangeRowsPlan, at: Snapshot, signal: AbortSignal | undefined) {
    if (plan.limit === 0 || plan.ranges.length === 0) return undefined
    return await readRanges(compileRangeRows(plan, lacksOf(plan, at)), plan, at, signal)
  }

  return {
    async rows(plan, at, signal) {
      const result = await readRows(plan, at, signal)
      return result === undefined ? [] : toRows(plan.resource, rowsOfResult(result))
    },

    async columns(plan, at, signal) {
      const result = await readRows(plan, at, signal)
      return result === undefined ? [] : toColumns(plan.resource, result)
    },

    async count(plan, at, signal) {
      if (plan.ranges.length === 0) return 0
      const statement = compileRangeCount(plan, lacksOf(plan, at))
      const [row] = rowsOfResult(await readRanges(statement, plan, at, signal))
      return Number(row?.count)
    },
  }
}
