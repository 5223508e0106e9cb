import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBMaterializedResult } from '@duckdb/node-api'
import type { RangeCountPlan } from '../../../catalog/query/plan.ts'
import { refuseUnwritableFolder } from '../../../lake/disk/unwritable.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import type { RowNumberReads } from '../../engine.ts'
import type { Statement } from '../../sql/compile.ts'
import type { LacksOf } from '../../sql/scan.ts'
import { copyStatement } from '../catalog-sql.ts'
import { toColumns, toRows } from '../duckdb-values.ts'
import { rowsOfResult, type StreamedChunk } from '../rows-of-result.ts'
import { compileRangeCount, compileRangeRows, compileStoredRows } from './compile-ranges.ts'

export type RunRanges<T> = (
  statement: Statement,
  plan: RangeCountPlan,
  at: Snapshot,
  signal: AbortSignal | undefined,
) => T

/** Reads Parquet files by row number. Files of `copy` are in `scratchFolder` until they are read. */
export function rowNumberReads(
  readRanges: RunRanges<Promise<DuckDBMaterializedResult>>,
  streamRanges: RunRanges<AsyncIterable<StreamedChunk>>,
  lacksOf: (plan: RangeCountPlan, at: Snapshot) => LacksOf,
  scratchFolder: string,
): RowNumberReads {
  return {
    async rows(plan, at, signal) {
      if (plan.limit === 0 || plan.ranges.length === 0) return []
      const statement = compileRangeRows(plan, lacksOf(plan, at))
      return toRows(plan.resource, rowsOfResult(await readRanges(statement, plan, at, signal)))
    },

    async *columns(plan, at, signal) {
      if (plan.limit === 0 || plan.ranges.length === 0) return
      const statement = compileRangeRows(plan, lacksOf(plan, at))
      for await (const chunk of streamRanges(statement, plan, at, signal))
        yield toColumns(plan.resource, chunk)
    },

    async count(plan, at, signal) {
      if (plan.ranges.length === 0) return 0
      const statement = compileRangeCount(plan, lacksOf(plan, at))
      const [row] = rowsOfResult(await readRanges(statement, plan, at, signal))
      return Number(row?.count)
    },

    async copy(plan, form, at, signal) {
      const path = join(scratchFolder, randomUUID())
      const rows = compileStoredRows(plan, lacksOf(plan, at))
      try {
        // The error of the engine would blame a data file.
        await writeFile(path, '').catch((error) => refuseUnwritableFolder(error, scratchFolder))
        const { rowsChanged } = await readRanges(copyStatement(rows, form, path), plan, at, signal)
        if (rowsChanged !== plan.limit) throw new Error(`a copy has ${rowsChanged} of ${plan.limit} rows`)
        return await readFile(path)
      } finally {
        await rm(path, { force: true }).catch(() => {})
      }
    },
  }
}
