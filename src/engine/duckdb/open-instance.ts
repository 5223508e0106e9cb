import { mkdir } from 'node:fs/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { ConnectionPool } from './connection-pool.ts'
import { filePattern } from './duckdb-dialect.ts'
import { type Sql, sql, texts } from './sql.ts'

export interface DuckdbOptions {
  /** The only folders that may be read. */
  readonly folders: readonly string[]
  /** Where queries spill to; made when missing. Where it cannot be made, they do not spill. */
  readonly spillFolder: string
  readonly memoryMb: number
  readonly threads: number
  readonly connections: number
  /** Is told that a DuckDB has failed and is replaced. */
  readonly report?: ((sentence: string) => void) | undefined
}

interface OpenInstance {
  readonly pool: ConnectionPool
}

/** Of the memory, what statements over few rows get. */
const LOOKUP_SHARE = 0.25
const LEAST_MB = 64

/**
 * Steps of the optimizer that find nothing in a statement over one range of one table, and take as long as it.
 * That of statistics reads those of every column of every row group; scans skip row groups without it.
 */
const idleForLookups = [
  'build_side_probe_side',
  'common_aggregate',
  'common_subexpressions',
  'common_subplan',
  'compressed_materialization',
  'cte_filter_pusher',
  'cte_inlining',
  'deliminator',
  'duplicate_groups',
  'empty_result_pullup',
  'extension',
  'in_clause',
  'join_elimination',
  'join_filter_pushdown',
  'join_order',
  'late_materialization',
  'materialized_cte',
  'regex_range',
  'sampling_pushdown',
  'statistics_propagation',
  'sum_rewriter',
  'top_n_window_elimination',
  'unnest_rewriter',
  'window_self_join',
].join(',')

/** How one DuckDB is tuned for its statements. */
interface Tuning {
  readonly threads: number
  readonly memoryMb: number
  readonly idleOptimizers: string
  readonly keepsFooters: boolean
}

/** One DuckDB with all threads for statements over many rows, and one with a single thread for those over few. */
export async function openTwo(options: DuckdbOptions): Promise<readonly [OpenInstance, OpenInstance]> {
  const { threads, memoryMb } = options
  const scanMb = memoryMb * (1 - LOOKUP_SHARE)
  const lookupMb = memoryMb * LOOKUP_SHARE
  return await Promise.all([
    openOne(options, { threads, memoryMb: scanMb, idleOptimizers: '', keepsFooters: false }),
    // A footer that is read anew takes as long as the rest of a page; one that is kept takes half a megabyte.
    openOne(options, { threads: 1, memoryMb: lookupMb, idleOptimizers: idleForLookups, keepsFooters: true }),
  ])
}

async function openOne(options: DuckdbOptions, tuning: Tuning): Promise<OpenInstance> {
  const { connections, report } = options
  const open = () => openInstance(options, tuning)
  return { pool: await ConnectionPool.open({ open, connections, report }) }
}

/** Everything outside the lake is closed before the first query; the order of the settings matters. */
async function openInstance(
  options: DuckdbOptions,
  { threads, memoryMb, idleOptimizers, keepsFooters }: Tuning,
): Promise<DuckDBInstance> {
  const canSpill = await mkdir(options.spillFolder, { recursive: true }).then(
    () => true,
    () => false,
  )
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(threads),
    memory_limit: `${Math.max(LEAST_MB, Math.ceil(memoryMb))}MB`,
    temp_directory: canSpill ? options.spillFolder : '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  })
  const connection = await instance.connect()
  const run = (setting: Sql) => connection.run(setting.text)
  // Settings of extensions are those of one connection unless they are global.
  await run(sql`SET GLOBAL TimeZone = 'UTC'`)
  const allowed = options.folders
    .map((folder) => `${folder}/`)
    .flatMap((folder) => [folder, filePattern(folder)])
  await run(sql`SET allowed_directories = ${texts(allowed)}`)
  await run(sql`SET disabled_optimizers = ${idleOptimizers}`)
  // Files never change under their name.
  await run(
    keepsFooters
      ? sql`SET GLOBAL parquet_metadata_cache = true`
      : sql`SET GLOBAL parquet_metadata_cache = false`,
  )
  await run(sql`SET enable_external_access = false`)
  await run(sql`SET lock_configuration = true`)
  connection.closeSync()
  return instance
}
