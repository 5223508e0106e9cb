import { mkdir } from 'node:fs/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Row } from '../../catalog/resource.ts'
import { chunkRowsOf } from '../../lake/chunk.ts'
import type { DataFile } from '../../lake/data-file.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import type { CountPlan, RowRange, RowsPlan, SumsPlan } from '../../query/plan.ts'
import type { ChunkCount, ChunkCountPlan, Engine, SumGroup } from '../engine.ts'
import { filesOf } from '../prune.ts'
import { columnsRead, compileChunkCounts, compileCount, compileRows, compileSums } from '../sql/compile.ts'
import { ConnectionPool, type Selected } from './connection-pool.ts'
import { duckdbDialect, filePattern, literal } from './duckdb-dialect.ts'
import { toRow } from './duckdb-values.ts'

export interface DuckdbOptions {
  /** The only folders that may be read. */
  readonly folders: readonly string[]
  /** Where queries spill to; made when missing. Where it cannot be made, they do not spill. */
  readonly spillFolder: string
  readonly memoryMb: number
  readonly threads: number
  readonly connections: number
}

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

/** Opens the default engine: an embedded DuckDB that can read the lake and nothing else. */
export async function openDuckdbEngine(options: DuckdbOptions): Promise<DuckdbEngine> {
  const instance = await openInstance(options)
  const pool = await ConnectionPool.open(instance, options.connections)
  let filesRead = 0
  let columns = 0

  function paths(files: readonly DataFile[]): readonly string[] {
    filesRead += files.length
    return files.map((file) => file.path)
  }

  function readRanges(ranges: readonly RowRange[]): void {
    filesRead += new Set(ranges.map((range) => range.file)).size
  }

  /** The files that a plan is answered from; a plan with ranges names them itself. */
  function filesRanged(
    plan: CountPlan & Pick<RowsPlan, 'search'>,
    at: Snapshot,
  ): { ranges: readonly RowRange[] | undefined; files: readonly DataFile[] } {
    const ranges = plan.search?.ranges ?? plan.ranges
    if (ranges !== undefined) readRanges(ranges)
    return { ranges, files: ranges === undefined ? filesOf(plan, at) : [] }
  }

  return {
    async rows(plan: RowsPlan, at: Snapshot, signal?: AbortSignal): Promise<readonly Row[]> {
      const { ranges, files } = filesRanged(plan, at)
      if (plan.limit === 0 || (ranges ?? files).length === 0) return []
      columns += columnsRead(plan).length
      const selected = await pool.run(compileRows(plan, paths(files), duckdbDialect), signal)
      return selected.map((row) => toRow(plan.resource, row))
    },

    async count(plan: CountPlan, at: Snapshot, signal?: AbortSignal): Promise<number> {
      const { ranges, files } = filesRanged(plan, at)
      if ((ranges ?? files).length === 0) return 0
      const [row] = await pool.run(compileCount(plan, paths(files), duckdbDialect), signal)
      return Number(row?.count)
    },

    async countChunks(plan: ChunkCountPlan, signal?: AbortSignal): Promise<readonly ChunkCount[]> {
      if (plan.ranges.length === 0) return []
      readRanges(plan.ranges)
      const chunkRows = chunkRowsOf(plan.resource)
      const counted = await pool.run(compileChunkCounts(plan, chunkRows, duckdbDialect), signal)
      return counted.map(({ piece, chunk, count }) => ({
        file: plan.ranges[Number(piece)]?.file ?? '',
        first: Number(chunk) * chunkRows,
        rows: Number(count),
      }))
    },

    async sums(plan: SumsPlan, at: Snapshot, signal?: AbortSignal): Promise<readonly SumGroup[]> {
      const files = filesOf(plan, at)
      if (files.length === 0) return plan.groupBy.length === 0 ? [{ group: {}, sums: zeros(plan) }] : []
      const selected = await pool.run(compileSums(plan, paths(files), duckdbDialect), signal)
      return selected.map((row) => toSumGroup(plan, row))
    },

    work: () => ({ statements: pool.statementsRun, files: filesRead, columns }),

    async close(): Promise<void> {
      pool.close()
      instance.closeSync()
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

/** Everything outside the lake is closed before the first query; the order of the settings matters. */
async function openInstance(options: DuckdbOptions): Promise<DuckDBInstance> {
  const canSpill = await mkdir(options.spillFolder, { recursive: true }).then(
    () => true,
    () => false,
  )
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(options.threads),
    memory_limit: `${options.memoryMb}MB`,
    temp_directory: canSpill ? options.spillFolder : '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  })
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  const allowed = options.folders
    .map((folder) => `${folder}/`)
    .flatMap((folder) => [folder, filePattern(folder)])
  await connection.run(`SET allowed_directories = [${allowed.map(literal).join(', ')}]`)
  // Files never change under their name.
  await connection.run('SET parquet_metadata_cache = true')
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
  connection.closeSync()
  return instance
}
