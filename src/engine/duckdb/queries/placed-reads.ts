import type { DuckDBMaterializedResult } from '@duckdb/node-api'
import type { PlacedPlan } from '../../../catalog/query/plan.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import type { PlacedReads } from '../../engine.ts'
import type { Statement } from '../../sql/compile.ts'
import { compilePlacedCount, compilePlacedRows } from '../../sql/compile-placed.ts'
import type { LacksOf } from '../../sql/scan.ts'
import { duckdbDialect } from '../duckdb-dialect.ts'
import { toColumns, toRows } from '../duckdb-values.ts'
import { rowsOfResult } from '../rows-of-result.ts'

export type RunRanges = (
  statement: Statement,
  plan: PlacedPlan,
  at: Snapshot,
  signal: AbortSignal | undefined,
) => Promise<DuckDBMaterializedResult>

/** Reads Parquet files by row number. */
export function placedReads(
  readRanges: RunRanges,
  lacksOf: (plan: PlacedPlan, at: Snapshot) => LacksOf,
): PlacedReads {
  return {
    async rows(plan, at, signal) {
      if (plan.limit === 0 || plan.ranges.length === 0) return []
      const statement = compilePlacedRows(plan, duckdbDialect, lacksOf(plan, at))
      return toRows(plan.resource, rowsOfResult(await readRanges(statement, plan, at, signal)))
    },

    async columns(plan, at, signal) {
      if (plan.limit === 0 || plan.ranges.length === 0) return []
      const statement = compilePlacedRows(plan, duckdbDialect, lacksOf(plan, at))
      return toColumns(plan.resource, await readRanges(statement, plan, at, signal))
    },

    async count(plan, at, signal) {
      if (plan.ranges.length === 0) return 0
      const statement = compilePlacedCount(plan, duckdbDialect, lacksOf(plan, at))
      const [row] = rowsOfResult(await readRanges(statement, plan, at, signal))
      return Number(row?.count)
    },
  }
}
