import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Resource } from '../../catalog/resource.ts'
import { COMPACTED_GROUP_ROWS, chunkRowsOf } from '../../lake/facts/chunk.ts'
import { binaryColumns, nullColumns, scanPaths, selectColumns } from './catalog-sql.ts'
import type { Session } from './session.ts'
import { Sql, sql } from './sql.ts'

/** Row groups below some 60,000 rows cost more in pruning than they save in decoding. */
const ROW_GROUP_ROWS = 122_880

/** A dictionary reserves memory per column for this many texts. */
const MOST_IN_DICTIONARY = 262_144
const MOST_IN_DICTIONARIES = 6_291_456
const DICTIONARY_BYTES = 100_000_000

/** Options for long-lived files: large row groups with complete dictionaries. */
export function compactedOptions({ columns }: Resource, rows: number): Sql {
  const ofColumn = Math.floor(MOST_IN_DICTIONARIES / Object.keys(columns).length)
  const most = Math.max(1, Math.min(MOST_IN_DICTIONARY, ofColumn, rows))
  return sql`COMPRESSION zstd, ROW_GROUP_SIZE ${COMPACTED_GROUP_ROWS}, DICTIONARY_SIZE_LIMIT ${most},
    STRING_DICTIONARY_PAGE_SIZE_LIMIT ${DICTIONARY_BYTES}`
}

/** Tables read by single chunks have a row group per chunk. */
function groupRowsOf(resource: Resource): number {
  return resource.access === undefined ? ROW_GROUP_ROWS : chunkRowsOf(resource)
}

/** Rows of a Parquet file: a query, or the path of a complete file. */
export type ParquetPart = Sql | string

/**
 * Writes parts in order as one Parquet file. One thread keeps the order of one query, not always of several (DuckDB
 * 1.5.6), so each part becomes a file and one query reads them. Without parts the file has no rows.
 */
export async function writeParquetFile(
  session: Session,
  resource: Resource,
  parts: readonly ParquetPart[],
  path: string,
  options = sql`COMPRESSION zstd, ROW_GROUP_SIZE ${groupRowsOf(resource)}`,
): Promise<void> {
  const [only = noRows(resource), ...remaining] = parts
  const filters = filterOption(resource)
  const whole = sql`${options}${filters}`
  await session.onOneThread(async () => {
    if (only instanceof Sql && remaining.length === 0) return await copyTo(session, only, path, whole)
    const written: string[] = []
    const paths: string[] = []
    for (const part of parts) {
      const file = part instanceof Sql ? `${path}.part-${written.length}` : part
      paths.push(file)
      if (!(part instanceof Sql)) continue
      await copyTo(session, part, file, sql`COMPRESSION snappy, ROW_GROUP_SIZE ${ROW_GROUP_ROWS}${filters}`)
      written.push(file)
    }
    await copyTo(session, sql`SELECT ${selectColumns(resource)} FROM ${scanPaths(paths)}`, path, whole)
    for (const file of written) await unlink(file)
  })
}

/** DuckDB 1.5 hashes BLOBs wrongly in Bloom filter lookups and skips matching row groups. */
export const NO_FILTERS = sql`, WRITE_BLOOM_FILTER false`

function filterOption(resource: Resource): Sql {
  return binaryColumns(resource).length > 0 ? NO_FILTERS : sql``
}

async function copyTo(session: Session, query: Sql, path: string, options: Sql): Promise<void> {
  await session.run(sql`COPY (${query}) TO ${path} (FORMAT parquet, ${options})`)
}

/** Writes a query in order as a sequence of files and returns their paths. A single thread keeps the order. */
export async function writeSequence(
  session: Session,
  resource: Resource,
  query: Sql,
  folder: string,
  groups: number,
): Promise<readonly string[]> {
  const options = sql`COMPRESSION zstd, ROW_GROUP_SIZE ${chunkRowsOf(resource)}, ROW_GROUPS_PER_FILE ${groups}`
  const isWhole = sql`PER_THREAD_OUTPUT false, OVERWRITE_OR_IGNORE true${filterOption(resource)}`
  await session.onOneThread(() => copyTo(session, query, folder, sql`${options}, ${isWhole}`))
  // `data_2.parquet` comes before `data_10.parquet`.
  const numberOf = (file: string) => Number(/\d+/.exec(file)?.[0])
  const names = (await readdir(folder)).sort((a, b) => numberOf(a) - numberOf(b))
  return names.map((file) => join(folder, file))
}

/** A source without rows has a file with columns only. */
function noRows(resource: Resource): Sql {
  return sql`SELECT ${nullColumns(resource)} WHERE false`
}
