import { openDuckdbRowWriter, type RowWriter } from '../engine/parquet/duckdb-row-writer.ts'
import type { Settings } from '../settings/settings.ts'

/** Settings of a process that writes data files. */
export const writerSettings = ['ingest_memory_mb', 'ingest_record_mb', 'engine_threads'] as const

/** Opens a writer for one run. It spills to `spillFolder`, and aborts with the signal. */
export function openRowWriter(
  settings: Settings,
  spillFolder: string,
  signal?: AbortSignal,
): Promise<RowWriter> {
  return openDuckdbRowWriter({
    spillFolder,
    signal,
    memoryMb: settings.ingest_memory_mb,
    threads: settings.engine_threads,
    recordMb: settings.ingest_record_mb,
  })
}
