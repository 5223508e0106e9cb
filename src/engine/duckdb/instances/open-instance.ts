import { mkdir } from 'node:fs/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { filePattern } from '../duckdb-dialect.ts'
import { type Sql, sql, texts } from '../sql.ts'
import { ConnectionPool } from './connection-pool.ts'

export interface DuckdbOptions {
  /** The only folders that may be read. */
  readonly folders: readonly string[]
  /** The lake, whose data files are looked at before they are read; left out where that was done. */
  readonly lake?: string
  /** Where queries spill to; made when missing. Where it cannot be made, they do not spill. */
  readonly spillFolder: string
  readonly memoryMb: number
  /** The most that spilled statements may take of the disk; 10,000 unless given. */
  readonly spillMb?: number
  readonly threads: number
  readonly connections: number
  /** Is told that a DuckDB has failed and is replaced. */
  readonly report?: ((sentence: string) => void) | undefined
}

interface OpenInstance {
  readonly pool: ConnectionPool
}

/** Of memory and spill, what statements over few rows get. */
const LOOKUP_SHARE = 0.25
const LEAST_MB = 64
const DEFAULT_SPILL_MB = 10_000

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
  readonly spillMb: number
  readonly idleOptimizers: string
  readonly keepsFooters: boolean
}

/**
 * One DuckDB with all threads for statements over many rows, and one with a single thread for those over few. Errors: why one of
 * them cannot be opened; the other one is closed then.
 */
export async function openTwo(options: DuckdbOptions): Promise<readonly [OpenInstance, OpenInstance]> {
  const { threads, spillMb = DEFAULT_SPILL_MB } = options
  const partOf = (share: number) => ({
    ...{ memoryMb: options.memoryMb * share, spillMb: Math.floor(spillMb * share) },
  })
  const opening = [
    openOne(options, { threads, ...partOf(1 - LOOKUP_SHARE), idleOptimizers: '', keepsFooters: false }),
    // A footer that is read anew takes as long as the rest of a page; one that is kept takes half a megabyte.
    openOne(options, {
      ...{ threads: 1, ...partOf(LOOKUP_SHARE), idleOptimizers: idleForLookups, keepsFooters: true },
    }),
  ] as const
  try {
    return await Promise.all(opening)
  } catch (error) {
    for (const opened of await Promise.allSettled(opening))
      if (opened.status === 'fulfilled') await opened.value.pool.close()
    throw error
  }
}

async function openOne(options: DuckdbOptions, tuning: Tuning): Promise<OpenInstance> {
  const { connections, report } = options
  const open = () => openInstance(options, tuning)
  return { pool: await ConnectionPool.open({ open, connections, report }) }
}

async function openInstance(
  options: DuckdbOptions,
  { threads, memoryMb, spillMb, idleOptimizers, keepsFooters }: Tuning,
): Promise<DuckDBInstance> {
  const canSpill = await mkdir(options.spillFolder, { recursive: true }).then(
    () => true,
    () => false,
  )
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(threads),
    memory_limit: `${Math.max(LEAST_MB, Math.ceil(memoryMb))}MB`,
    temp_directory: canSpill ? options.spillFolder : '',
    max_temp_directory_size: `${spillMb}MB`,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  })
  try {
    await confine(instance, options.folders, { idleOptimizers, keepsFooters })
    return instance
  } catch (error) {
    instance.closeSync()
    throw error
  }
}

/** Everything outside the lake is closed before the first query; the order of the settings matters. */
async function confine(
  instance: DuckDBInstance,
  folders: readonly string[],
  { idleOptimizers, keepsFooters }: Pick<Tuning, 'idleOptimizers' | 'keepsFooters'>,
): Promise<void> {
  const connection = await instance.connect()
  const run = (setting: Sql) => connection.run(setting.text)
  // Settings of extensions are those of one connection unless they are global.
  await run(sql`SET GLOBAL TimeZone = 'UTC'`)
  const allowed = folders.map((folder) => `${folder}/`).flatMap((folder) => [folder, filePattern(folder)])
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
}
