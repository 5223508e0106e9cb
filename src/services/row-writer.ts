import { openDuckdbRowReader, type RowReader } from '../engine/parquet/duckdb-row-reader.ts'
import { openDuckdbRowWriter, type RowWriter } from '../engine/parquet/duckdb-row-writer.ts'
import type { Settings } from './settings/settings.ts'

/** Settings of a process that writes data files, or reads them for indexes. */
export const writerSettings = ['ingest_memory_mb', 'ingest_record_mb', 'engine_threads'] as const

const optionsOf = (settings: Settings, spillFolder: string, signal?: AbortSignal) => ({
  spillFolder,
  signal,
  memoryMb: settings.ingest_memory_mb,
  threads: settings.engine_threads,
  recordMb: settings.ingest_record_mb,
})

type Open<Opened> = (settings: Settings, spillFolder: string, signal?: AbortSignal) => Promise<Opened>

/** Opens a writer of data files for one run. It spills to `spillFolder`, and aborts with the signal. */
export const openRowWriter: Open<RowWriter> = (...given) => openDuckdbRowWriter(optionsOf(...given))

/** Opens a reader of data files in the same way. */
export const openRowReader: Open<RowReader> = (...given) => openDuckdbRowReader(optionsOf(...given))
