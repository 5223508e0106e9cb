import type { Row } from '../../catalog/resource.ts'
import { chunkRowsOf } from '../../lake/chunk.ts'
import type { DataFile } from '../../lake/data-file.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import type { CountPlan, RowRange, RowsPlan, SumsPlan } from '../../query/plan.ts'
import type { ChunkCount, ChunkCountPlan, Engine, SumGroup, Work } from '../engine.ts'
import { filesOf } from '../prune.ts'
import { columnsRead, compileChunkCounts, compileCount, compileRows, compileSums } from '../sql/compile.ts'
import type { LacksOf } from '../sql/scan.ts'
import type { ConnectionPool } from './connection-pool.ts'
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

  const paths = (files: readonly DataFile[]) => files.map((file) => file.path)
  const lacksOf = ({ resource }: Pick<CountPlan, 'resource'>, at: Snapshot): LacksOf => {
    const table = at.table(resource)
    return (file) => table.lacksOf(file)
  }
  const filesIn = (ranges: readonly RowRange[]) => new Set(ranges.map((range) => range.file)).size

  /** Whoever reads few rows would wait for threads to be handed to him longer than for the rows. */
  function poolFor(ranges: readonly RowRange[] | undefined): ConnectionPool {
    const rows = ranges?.reduce((sum, { first, end }) => sum + end - first, 0)
    return rows !== undefined && rows <= FEW_ROWS ? lookups.pool : scans.pool
  }

  /** The files that a plan is answered from; a plan with ranges names them itself. */
  function filesRanged(
    plan: CountPlan & Pick<RowsPlan, 'search'>,
    at: Snapshot,
  ): { ranges: readonly RowRange[] | undefined; files: readonly DataFile[] } {
    const ranges = plan.search?.ranges ?? plan.ranges
    return { ranges, files: ranges === undefined ? filesOf(plan, at) : [] }
  }

  return {
    async rows(plan: RowsPlan, at: Snapshot, signal?: AbortSignal): Promise<readonly Row[]> {
      const { ranges, files } = filesRanged(plan, at)
      if (plan.limit === 0 || (ranges ?? files).length === 0) return []
      columns += columnsRead(plan).length
      note(ranges === undefined ? files.length : filesIn(ranges), signal)
      const statement = compileRows(plan, paths(files), duckdbDialect, lacksOf(plan, at))
      const selected = await poolFor(ranges).run(statement, signal)
      return toRows(plan.resource, selected)
    },

    async count(plan: CountPlan, at: Snapshot, signal?: AbortSignal): Promise<number> {
      const { ranges, files } = filesRanged(plan, at)
      if ((ranges ?? files).length === 0) return 0
      note(ranges === undefined ? files.length : filesIn(ranges), signal)
      const statement = compileCount(plan, paths(files), duckdbDialect, lacksOf(plan, at))
      const [row] = await poolFor(ranges).run(statement, signal)
      return Number(row?.count)
    },

    async countChunks(
      plan: ChunkCountPlan,
      at: Snapshot,
      signal?: AbortSignal,
    ): Promise<readonly ChunkCount[]> {
      if (plan.ranges.length === 0) return []
      note(filesIn(plan.ranges), signal)
      const chunkRows = chunkRowsOf(plan.resource)
      const statement = compileChunkCounts(plan, chunkRows, duckdbDialect, lacksOf(plan, at))
      const counted = await poolFor(plan.ranges).run(statement, signal)
      return counted.map(({ piece, chunk, count }) => ({
        file: plan.ranges[Number(piece)]?.file ?? '',
        first: Number(chunk) * chunkRows,
        rows: Number(count),
      }))
    },

    async sums(plan: SumsPlan, at: Snapshot, signal?: AbortSignal): Promise<readonly SumGroup[]> {
      const files = filesOf(plan, at)
      if (files.length === 0) return plan.groupBy.length === 0 ? [{ group: {}, sums: zeros(plan) }] : []
      note(files.length, signal)
      const selected = await scans.pool.run(
        compileSums(plan, paths(files), duckdbDialect, lacksOf(plan, at)),
        signal,
      )
      return selected.map((row) => toSumGroup(plan, row))
    },

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
