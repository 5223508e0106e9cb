import { mkdir } from 'node:fs/promises'
import type { DuckDBInstance } from '@duckdb/node-api'
import { filePattern } from '../duckdb-dialect.ts'
import { type DuckdbLimits, openDuckdb } from '../open-duckdb.ts'
import { type Sql, sql, textList } from '../sql.ts'
import { ConnectionPool } from './connection-pool.ts'

/**
 * The spill folder is created if missing; if it cannot be created, queries do not spill. Their spill limit is 10,000
 * MB by default.
 */
export interface DuckdbOptions extends DuckdbLimits {
  /** The only readable folders, besides that for spill. */
  readonly folders: readonly string[]
  /** Lake whose data files are checked before a read; optional. */
  readonly lake?: string
  readonly connections: number
  /** Called when a failed DuckDB is replaced. */
  readonly report?: ((sentence: string) => void) | undefined
}

/** Share of memory and spill for lookups. */
const LOOKUP_SHARE = 0.25
const LEAST_MB = 64
const DEFAULT_SPILL_MB = 10_000

/**
 * Optimizer steps without effect on a range of one table, that take as long as the query. The statistics step reads
 * all columns of all row groups.
 */
const idleForLookups = `
  build_side_probe_side common_aggregate common_subexpressions common_subplan compressed_materialization
  cte_filter_pusher cte_inlining deliminator duplicate_groups empty_result_pullup extension in_clause
  join_elimination join_filter_pushdown join_order late_materialization materialized_cte regex_range
  sampling_pushdown statistics_propagation sum_rewriter top_n_window_elimination unnest_rewriter
  window_self_join`

interface Tuning extends Omit<DuckdbLimits, 'spillFolder'> {
  readonly idleOptimizers: string
  readonly keepsFooters: boolean
}

/**
 * Opens a DuckDB with all threads for scans, and one with a single thread for lookups.
 * Errors: the reason of a failed open; the other instance is then closed.
 */
export async function openTwo(options: DuckdbOptions): Promise<readonly [ConnectionPool, ConnectionPool]> {
  const { connections, report, threads, spillMb = DEFAULT_SPILL_MB } = options
  const openPool = (share: number, tuning: Omit<Tuning, 'memoryMb' | 'spillMb'>) => {
    const memoryMb = Math.max(LEAST_MB, Math.ceil(options.memoryMb * share))
    const whole = { ...tuning, memoryMb, spillMb: Math.floor(spillMb * share) }
    return ConnectionPool.open({ open: () => openInstance(options, whole), connections, report })
  }
  const opening = [
    openPool(1 - LOOKUP_SHARE, { threads, idleOptimizers: '', keepsFooters: false }),
    // Reading a footer again takes as long as the page; a cached one takes half a megabyte.
    openPool(LOOKUP_SHARE, { threads: 1, idleOptimizers: idleForLookups, keepsFooters: true }),
  ] as const
  try {
    return await Promise.all(opening)
  } catch (error) {
    for (const opened of await Promise.allSettled(opening))
      if (opened.status === 'fulfilled') await opened.value.close()
    throw error
  }
}

async function openInstance(options: DuckdbOptions, tuning: Tuning): Promise<DuckDBInstance> {
  const { spillFolder } = options
  const canSpill = await mkdir(spillFolder, { recursive: true }).then(
    () => true,
    () => false,
  )
  const instance = await openDuckdb({ ...tuning, spillFolder: canSpill ? spillFolder : '' })
  try {
    await confine(instance, [...options.folders, spillFolder], tuning)
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
  await run(sql`SET disabled_optimizers = ${idleOptimizers.trim().split(/\s+/).join(',')}`)
  // Files are immutable.
  await run(sql`SET GLOBAL parquet_metadata_cache = ${String(keepsFooters)}`)
  await run(sql`SET enable_external_access = false`)
  await run(sql`SET lock_configuration = true`)
  connection.closeSync()
}
