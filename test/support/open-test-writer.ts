import { openDuckdbRowWriter, type RowWriter } from '../../src/engine/parquet/duckdb-row-writer.ts'

/** The program's writer, with little memory and one thread unless more is asked for. */
export function openTestWriter(
  spillFolder: string,
  signal?: AbortSignal,
  limits: { readonly memoryMb?: number; readonly threads?: number; readonly recordMb?: number } = {},
): Promise<RowWriter> {
  return openDuckdbRowWriter({ spillFolder, signal, memoryMb: 256, threads: 1, ...limits })
}
