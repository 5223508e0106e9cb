import { withErrnoCodes } from '../../src/engine/duckdb/failures.ts'
import { Session } from '../../src/engine/duckdb/session.ts'
import { type RowReader, rowReaderOf } from '../../src/engine/parquet/duckdb-row-reader.ts'
import { type RowWriter, rowWriterOf } from '../../src/engine/parquet/duckdb-row-writer.ts'

/** The program's writer and reader on one DuckDB, with little memory and one thread unless more is asked for. */
export async function openTestWriter(
  spillFolder: string,
  signal?: AbortSignal,
  limits: { readonly memoryMb?: number; readonly threads?: number; readonly recordMb?: number } = {},
): Promise<RowWriter & RowReader> {
  const session = await Session.open({ spillFolder, signal, memoryMb: 256, threads: 1, ...limits })
  const close = async () => session.close()
  return withErrnoCodes({ ...rowWriterOf(session), ...rowReaderOf(session), close })
}
