import { DuckDBInstance } from '@duckdb/node-api'

export interface DuckdbLimits {
  readonly threads: number
  readonly memoryMb: number
  /** Empty for a DuckDB that does not spill. */
  readonly spillFolder: string
  /** The default is the disk. */
  readonly spillMb?: number | undefined
  /** True to return freed memory to the system also between statements. */
  readonly isGivingBack?: boolean
}

/** Opens an empty DuckDB in memory, which loads no extension. Errors: those of DuckDB. */
export async function openDuckdb({
  threads,
  memoryMb,
  spillFolder,
  spillMb,
  isGivingBack = false,
}: DuckdbLimits): Promise<DuckDBInstance> {
  return await DuckDBInstance.create(':memory:', {
    threads: String(threads),
    memory_limit: `${memoryMb}MB`,
    temp_directory: spillFolder,
    ...(spillMb !== undefined && { max_temp_directory_size: `${spillMb}MB` }),
    allocator_background_threads: String(isGivingBack),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  })
}
