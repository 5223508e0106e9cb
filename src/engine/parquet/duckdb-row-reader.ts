import { toRangePlan } from '../../catalog/query/to-plan.ts'
import type { ContentReader, ReadStretch } from '../../lake/ports/content-reader.ts'
import { toRows } from '../duckdb/duckdb-values.ts'
import { mayBeDamage, withErrnoCodes } from '../duckdb/failures.ts'
import { compileRangeRows } from '../duckdb/queries/compile-ranges.ts'
import { Session, type SessionOptions } from '../duckdb/session.ts'
import { inspectWithOrder } from './inspect.ts'
import { readFileRows, readSortedRows } from './read-rows.ts'
import { countTwice, sumKeyed } from './sum-content.ts'

/** Reads Parquet files, one call at a time. */
export interface RowReader extends ContentReader {
  close(): Promise<void>
}

/** Opens a row reader on a private DuckDB, which spills to a folder. */
export async function openDuckdbRowReader(options: SessionOptions): Promise<RowReader> {
  const session = await Session.open(options)
  return withErrnoCodes<RowReader>({ ...rowReaderOf(session), close: async () => session.close() })
}

export const rowReaderOf = (session: Session): ContentReader => ({
  readFileRows: (...parameters) => readFileRows(session, ...parameters),
  readSortedRows: (...parameters) => readSortedRows(session, ...parameters),
  readStretch: readStretchOf(session),
  inspectFiles: (...parameters) => inspectWithOrder(session, ...parameters),
  sumKeyed: (...parameters) => sumKeyed(session, ...parameters),
  countTwice: (...parameters) => countTwice(session, ...parameters),
  mayBeDamage,
})

export const readStretchOf =
  (session: Session): ReadStretch =>
  async (resource, { path, lacks }, stretch) => {
    const plan = toRangePlan(resource, { file: path, ...stretch })
    return toRows(resource, await session.rows(compileRangeRows(plan, () => lacks)))
  }
