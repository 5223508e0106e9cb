import { chunkRowsOf } from '../../lake/chunk.ts'
import type { DataFile } from '../../lake/data-file.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import type { CountPlan, PlacedPlan, SumsPlan } from '../../query/plan.ts'
import type { Engine, PlacedReads, SumGroup, Work } from '../engine.ts'
import { filesOf } from '../prune.ts'
import { columnsRead, compileCount, compileRows, compileSums, type Statement } from '../sql/compile.ts'
import {
  compileChunkCounts,
  compilePlacedCount,
  compilePlacedRows,
  placedColumnsRead,
} from '../sql/compile-placed.ts'
import type { LacksOf } from '../sql/scan.ts'
import { duckdbDialect } from './duckdb-dialect.ts'
import { toRow, toRows } from './duckdb-values.ts'
import { type DuckdbOptions, openTwo } from './open-instance.ts'
import type { Selected } from './rows-of-result.ts'

/** Work done so far, for tests that assert it. */
interface EngineWork {
  readonly statements: number
  readonly files: number
  /** Columns that statements for rows read. */
  readonly columns: number
}

export interface DuckdbEngine extends Engine {
  readonly placed: PlacedReads
  work(): EngineWork
}

/** A handful of chunks. */
const FEW_ROWS = 100_000

/** Opens the default engine: an embedded DuckDB that can read the lake and nothing else. */
export async function openDuckdbEngine(options: DuckdbOptions): Promise<DuckdbEngine> {
  const [scans, lookups] = await openTwo(options)
  let filesRead = 0
  let columns = 0
  const workBySignal = new WeakMap<AbortSignal, Work>()

  /** Notes one statement over so many files. */
  function note(files: number, signal: AbortSignal | undefined): void {
    filesRead += files
    if (signal === undefined) return
    const before = workBySignal.get(signal)
    workBySignal.set(signal, {
      statements: (before?.statements ?? 0) + 1,
      files: (before?.files ?? 0) + files,
    })
  }

  const lacksOf = ({ resource }: CountPlan, at: Snapshot): LacksOf => {
    const table = at.table(resource)
    return (file) => table.lacksOf(file)
  }

  /** Runs a statement over files. */
  function ask(statement: Statement, files: readonly DataFile[], signal: AbortSignal | undefined) {
    note(files.length, signal)
    return scans.pool.run(statement, signal)
  }

  /** Runs a statement over ranges. Whoever reads few rows would wait for threads longer than for the rows. */
  function askPlaces(statement: Statement, { ranges }: PlacedPlan, signal: AbortSignal | undefined) {
    note(new Set(ranges.map((range) => range.file)).size, signal)
    const rows = ranges.reduce((sum, { first, end }) => sum + end - first, 0)
    return (rows <= FEW_ROWS ? lookups : scans).pool.run(statement, signal)
  }

  const placed: PlacedReads = {
    async rows(plan, at, signal) {
      if (plan.limit === 0 || plan.ranges.length === 0) return []
      columns += placedColumnsRead(plan).length
      const statement = compilePlacedRows(plan, duckdbDialect, lacksOf(plan, at))
      return toRows(plan.resource, await askPlaces(statement, plan, signal))
    },

    async count(plan, at, signal) {
      if (plan.ranges.length === 0) return 0
      const statement = compilePlacedCount(plan, duckdbDialect, lacksOf(plan, at))
      const [row] = await askPlaces(statement, plan, signal)
      return Number(row?.count)
    },

    async countChunks(plan, at, signal) {
      if (plan.ranges.length === 0) return []
      const chunkRows = chunkRowsOf(plan.resource)
      const statement = compileChunkCounts(plan, chunkRows, duckdbDialect, lacksOf(plan, at))
      const counted = await askPlaces(statement, plan, signal)
      return counted.map(({ piece, chunk, count }) => ({
        file: plan.ranges[Number(piece)]?.file ?? '',
        first: Number(chunk) * chunkRows,
        rows: Number(count),
      }))
    },
  }

  return {
    async rows(plan, at, signal) {
      const files = filesOf(plan, at)
      if (plan.limit === 0 || files.length === 0) return []
      columns += columnsRead(plan).length
      const statement = compileRows(plan, paths(files), duckdbDialect, lacksOf(plan, at))
      return toRows(plan.resource, await ask(statement, files, signal))
    },

    async count(plan, at, signal) {
      const files = filesOf(plan, at)
      if (files.length === 0) return 0
      const statement = compileCount(plan, paths(files), duckdbDialect, lacksOf(plan, at))
      const [row] = await ask(statement, files, signal)
      return Number(row?.count)
    },

    async sums(plan, at, signal) {
      const files = filesOf(plan, at)
      if (files.length === 0) return plan.groupBy.length === 0 ? [{ group: {}, sums: zeros(plan) }] : []
      const statement = compileSums(plan, paths(files), duckdbDialect, lacksOf(plan, at))
      return (await ask(statement, files, signal)).map((row) => toSumGroup(plan, row))
    },

    placed,
    workFor: (signal) => workBySignal.get(signal),

    work: () => ({
      statements: scans.pool.statementsRun + lookups.pool.statementsRun,
      files: filesRead,
      columns,
    }),

    async close(): Promise<void> {
      for (const { pool, instance } of [scans, lookups]) {
        pool.close()
        instance.closeSync()
      }
    },
  }
}

const paths = (files: readonly DataFile[]) => files.map((file) => file.path)

function zeros(plan: SumsPlan): Record<string, bigint> {
  return Object.fromEntries(Object.keys(plan.sums).map((name) => [name, 0n]))
}

function toSumGroup(plan: SumsPlan, row: Selected): SumGroup {
  const picked = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, row[name]]))
  return {
    group: toRow(plan.resource, picked(plan.groupBy)),
    sums: picked(Object.keys(plan.sums)) as Record<string, bigint>,
  }
}
