import { mkdir } from 'node:fs/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { filePattern } from '../duckdb-dialect.ts'
import { type Sql, sql, textList } from '../sql.ts'
import { ConnectionPool } from './connection-pool.ts'

export interface DuckdbOptions {
  /** The only readable folders. */
  readonly folders: readonly string[]
  /** Lake whose data files are checked before a read; optional. */
  readonly lake?: string
  /** Spill folder, created if missing. If it cannot be created, queries do not spill. */
  readonly spillFolder: string
  readonly memoryMb: number
  /** Spill limit; the default is 10,000. */
  readonly spillMb?: number
  readonly threads: number
  readonly connections: number
  /** Called when a failed DuckDB is replaced. */
  readonly report?: ((sentence: string) => void) | undefined
}

interface OpenInstance {
  readonly pool: ConnectionPool
}

/** Share of memory and spill for lookups. */
const LOOKUP_SHARE = 0.25
const LEAST_MB = 64
const DEFAULT_SPILL_MB = 10_000

/**
 * Optimizer steps without effect on a range of one table, that take as long as the query. The statistics step reads
 * all columns of all row groups.
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

interface Tuning {
  readonly threads: number
  readonly memoryMb: number
  readonly spillMb: number
  readonly idleOptimizers: string
  readonly keepsFooters: boolean
}

/**
 * Opens a DuckDB with all threads for scans, and one with a single thread for lookups.
 * Errors: the reason of a failed open; the other instance is then closed.
 */
export async function openTwo(options: DuckdbOptions): Promise<readonly [OpenInstance, OpenInstance]> {
  const { threads, spillMb = DEFAULT_SPILL_MB } = options
  const partOf = (share: number) => ({
    ...{ memoryMb: options.memoryMb * share, spillMb: Math.floor(spillMb * share) },
  })
  const opening = [
    openOne(options, { threads, ...partOf(1 - LOOKUP_SHARE), idleOptimizers: '', keepsFooters: false }),
    // Reading a footer again takes as long as the page; a cached one takes half a megabyte.
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

/** Denies access outside the lake before the first query; the order of settings matters. */
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
  await run(sql`SET allowed_directories = ${textList(allowed)}`)
  await run(sql`SET disabled_optimizers = ${idleOptimizers}`)
  // Files are immutable.
  await run(
    keepsFooters
      ? sql`SET GLOBAL parquet_metadata_cache = true`
      : sql`SET GLOBAL parquet_metadata_cache = false`,
  )
  await run(sql`SET enable_external_access = false`)
  await run(sql`SET lock_configuration = true`)
  connection.closeSync()
}
