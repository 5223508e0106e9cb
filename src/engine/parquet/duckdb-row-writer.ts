import { toRangePlan } from '../../catalog/query/to-plan.ts'
import type { CompactionWriter } from '../../lake/ports/compaction-writer.ts'
import type { ContentReader } from '../../lake/ports/content-reader.ts'
import type { FileWriter } from '../../lake/ports/file-writer.ts'
import type { IngestWriter } from '../../lake/ports/ingest-writer.ts'
import { scanFile, selectColumns } from '../duckdb/catalog-sql.ts'
import { toRows } from '../duckdb/duckdb-values.ts'
import { readFault, withErrnoCodes } from '../duckdb/failures.ts'
import { compileRangeRows } from '../duckdb/queries/compile-ranges.ts'
import { Session, type SessionOptions } from '../duckdb/session.ts'
import { sql } from '../duckdb/sql.ts'
import { writeParquetFile } from '../duckdb/write-parquet.ts'
import { writeCheckpoint } from './checkpoint.ts'
import { openDuckdbCsvStage } from './csv/csv-stage.ts'
import { splitFile } from './file-sequences.ts'
import { inspect, inspectWithOrder } from './inspect.ts'
import { mergeFiles } from './pieces/merge-files.ts'
import { copyRanges, mergeMany } from './pieces/merge-many.ts'
import { countRowGroups, hasBinaryFilters, readFileContent } from './read-content.ts'
import { readFileRows, readSortedRows } from './read-rows.ts'
import { DuckdbStage } from './stage.ts'
import { readStateFacts } from './state-facts.ts'
import { countTwice, sumKeyed } from './sum-content.ts'
import { isOf, upsertFiles } from './upsert-files.ts'

/** Writes Parquet files and reads them back, one call at a time. */
export interface RowWriter extends IngestWriter, FileWriter, CompactionWriter, ContentReader {
  close(): Promise<void>
}

/** Opens a row writer on a private DuckDB, which spills next to its files. */
export async function openDuckdbRowWriter(options: SessionOptions): Promise<RowWriter> {
  const session = await Session.open(options)
  return withErrnoCodes<RowWriter>({
    openStage: async (resource, shapes) => withErrnoCodes(await DuckdbStage.open(session, resource, shapes)),
    openCsvStage: (resource) => withErrnoCodes(openDuckdbCsvStage(session, resource)),
    async copyWithout(resource, from, sourceNames, to) {
      const selection = sql`SELECT ${selectColumns(resource)} FROM ${scanFile(resource, from)}`
      await writeParquetFile(session, resource, [sql`${selection} WHERE NOT ${isOf(sourceNames)}`], to).catch(
        (error) => Promise.reject(readFault(error, from.path)),
      )
    },
    merge: (resource, file, arriving, to) => mergeFiles({ session, resource, file, arriving }, to),
    copyRanges: (resource, files, ranges, to) => copyRanges(session, resource, files, ranges, to),
    mergeMany: (resource, files, to) => mergeMany(session, resource, files, to),
    readContent: (resource, file) => readFileContent(session, resource, file),
    countRowGroups: (path) => countRowGroups(session, path),
    hasBinaryFilters: (resource, path) => hasBinaryFilters(session, resource, path),
    split: (resource, path, newPath) => splitFile(session, resource, path, newPath),
    upsert: (resource, upsert) => upsertFiles(session, resource, upsert),
    readStateFacts: (...parameters) => readStateFacts(session, ...parameters),
    readFileRows: (...parameters) => readFileRows(session, ...parameters),
    readSortedRows: (...parameters) => readSortedRows(session, ...parameters),
    async readStretch(resource, { path, lacks }, stretch) {
      const plan = toRangePlan(resource, { file: path, ...stretch })
      return toRows(resource, await session.rows(compileRangeRows(plan, () => lacks)))
    },
    inspect: (resource, file) => inspect(session, resource, file),
    inspectFiles: (...parameters) => inspectWithOrder(session, ...parameters),
    sumKeyed: (...parameters) => sumKeyed(session, ...parameters),
    countTwice: (...parameters) => countTwice(session, ...parameters),
    writeCheckpoint: (actions, path) => writeCheckpoint(session, actions, path),
    async close() {
      session.close()
    },
  })
}
