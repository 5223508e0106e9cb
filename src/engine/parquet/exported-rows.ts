import { sentenceOf } from '../../base/errors.ts'
import { valuesOfPartition } from '../../catalog/partition.ts'
import type { Resource } from '../../catalog/resource.ts'
import { readSourceRecord, type SourceRecord } from '../../lake/facts/source-record.ts'
import type { ExportedFile, ExportedStage } from '../../write/ports/exported-file.ts'
import { FileFault } from '../../write/wire/faults.ts'
import { isInRange, selectColumns } from '../duckdb/catalog-sql.ts'
import { mayBeDamage } from '../duckdb/failures.ts'
import type { Session } from '../duckdb/session.ts'
import { name, type Sql, sql } from '../duckdb/sql.ts'
import { inspectSources } from './inspect.ts'
import { writeSorted } from './pieces/sort-pieces.ts'
import { isOf } from './upsert-files.ts'

/** FROM item with all columns of a table in stored form. */
export type RowsOf = (resource: Resource) => Sql

/** Parses a recorded source. Errors: FileFault. */
export function readRecord(written: unknown): SourceRecord {
  try {
    return readSourceRecord(written)
  } catch (error) {
    throw new FileFault(`the record of a source is invalid: ${sentenceOf(error)}: ${JSON.stringify(written)}`)
  }
}

/** Errors: FileFault if the file may be damaged. */
export async function orFileFault<T>(reading: Promise<T>): Promise<T> {
  return await reading.catch((error) => {
    if (error instanceof FileFault || !mayBeDamage(error)) throw error
    throw new FileFault(`DuckDB cannot read it: ${sentenceOf(error).split('\n')[0]}`)
  })
}

/** Reads all values, and returns counts and sums of the rows by source. Errors: those of DuckDB. */
export async function countSources(
  session: Session,
  resource: Resource,
  rowsOf: RowsOf,
): ReturnType<ExportedFile['readSources']> {
  // DuckDB compares blocks with their checksums as it reads them, so damage is known before a row is staged.
  await session.run(sql`SELECT bit_xor(hash(r)) FROM ${rowsOf(resource)} r`)
  const from = sql`(SELECT *, 0 AS file_row_number FROM ${rowsOf(resource)})`
  const file = sql`0 AS ${name('file index')}`
  return (await inspectSources(session, resource, { from, file, by: [] })).get(0) ?? []
}

function isInPartition(resource: Resource, partition: string | null): Sql {
  const range = valuesOfPartition(resource, partition)
  if (range === null || resource.columns[range.column]?.kind !== 'instant') return isInRange(range)
  const micros = sql`epoch_us(${name(range.column)})`
  return sql`${micros} >= ${range.first} AND ${micros} < ${range.end}`
}

export function openExportedStage(session: Session, resource: Resource, rowsOf: RowsOf): ExportedStage {
  let rows = 0
  return {
    get rows() {
      return rows
    },
    add(more) {
      rows += more
    },
    async write(path, sources, partition) {
      const range = isInPartition(resource, partition)
      const selected = sql`SELECT ${selectColumns(resource)} FROM ${rowsOf(resource)}
        WHERE ${isOf([...sources.values()])} AND ${range}`
      await writeSorted(session, resource, selected, path)
    },
    drop: async () => {},
  }
}
