import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type DuckDBAppender, DuckDBDataChunk, type DuckDBValue } from '@duckdb/node-api'
import type { FlatColumn } from '../../catalog/records/flat-columns.ts'
import { refuseUnwritableFolder } from '../../lake/disk/unwritable.ts'
import { typeName } from '../duckdb/catalog-sql.ts'
import { Session } from '../duckdb/session.ts'
import { name, type Sql, sql } from '../duckdb/sql.ts'
import { flatStorage } from './flat-storage.ts'

const MOST_ROWS = 65_536
const MOST_CELLS = 2 ** 20

/** Rows of a part of a file, a row group: few enough for 64 MB of the engine. */
export function partRowsOf({ length }: readonly FlatColumn[]): number {
  return Math.min(MOST_ROWS, 2 ** Math.floor(Math.log2(MOST_CELLS / length)))
}

/**
 * Options of COPY for a part. The dictionaries of all columns reserve memory for their limit, so only large parts, in
 * which a key occurs several times, have one for keys. Bloom filters would double the footer.
 */
export function parquetOptions(partRows: number): Sql {
  const mostInDictionary = partRows === MOST_ROWS ? MOST_ROWS / 2 : 2048
  return sql`FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE ${partRows},
    DICTIONARY_SIZE_LIMIT ${mostInDictionary}, WRITE_BLOOM_FILTER false`
}

/** Rows per chunk of the engine. */
const CHUNK_ROWS = 2048
const MEMORY_MB = 128

/** A value per row and column, by column. */
interface Rows {
  readonly rows: number
  readonly columns: readonly { at(row: number): unknown }[]
}

/** Writes rows as Parquet files of `partRowsOf` rows, at least one. Errors: `lake_unwritable`; those of DuckDB. */
export async function* flatParts(
  columns: readonly FlatColumn[],
  batches: AsyncIterable<Rows>,
  scratchFolder: string,
): AsyncGenerator<Uint8Array> {
  const path = join(scratchFolder, `${randomUUID()}.parquet`)
  const partRows = partRowsOf(columns)
  const options = { threads: 1, memoryMb: MEMORY_MB, spillFolder: scratchFolder }
  const session = await Session.open(options).catch((error) => refuseUnwritableFolder(error, scratchFolder))
  const table = name('part')
  const take = async (appender: DuckDBAppender) => {
    appender.closeSync()
    await session.run(sql`COPY ${table} TO ${path} (${parquetOptions(partRows)})`)
    return await readFile(path)
  }
  const open = async () => {
    const types = columns.map(
      (column) => sql`${name(column.name)} ${typeName(flatStorage[column.type].type)}`,
    )
    await session.run(sql`CREATE OR REPLACE TABLE ${table} (${types})`)
    return await session.appender('part')
  }
  const chunk = DuckDBDataChunk.create(columns.map(({ type }) => flatStorage[type].type))
  try {
    let appender = await open()
    let [rows, isFirst] = [0, true]
    for await (const batch of batches) {
      for (let first = 0; first < batch.rows; ) {
        const end = Math.min(batch.rows, first + CHUNK_ROWS, first + partRows - rows)
        fillChunk(chunk, columns, batch, first, end)
        appender.appendDataChunk(chunk)
        rows += end - first
        first = end
        if (rows < partRows) continue
        yield await take(appender)
        appender = await open()
        rows = 0
        isFirst = false
      }
    }
    if (rows > 0 || isFirst) yield await take(appender)
    else appender.closeSync()
  } finally {
    session.close()
    await rm(path, { force: true })
  }
}

function fillChunk(
  chunk: DuckDBDataChunk,
  columns: readonly FlatColumn[],
  batch: Rows,
  first: number,
  end: number,
): void {
  chunk.reset()
  chunk.rowCount = end - first
  for (const [index, { type }] of columns.entries()) {
    const { toItem } = flatStorage[type]
    const vector = chunk.getColumnVector(index)
    const values = batch.columns[index]
    for (let row = first; row < end; row += 1) {
      const value = (values?.at(row) ?? null) as DuckDBValue
      vector.setItem(row - first, value === null || toItem === undefined ? value : toItem(value as never))
    }
    vector.flush()
  }
}
