import { link, rename, rm } from 'node:fs/promises'
import type { Resource } from '../../catalog/resource.ts'
import { type FileToRead, lacksOf, pathOf } from '../../lake/facts/data-file.ts'
import type { Upsert } from '../../write/ports/ingest-writer.ts'
import { scanFile, selectRows } from '../duckdb/catalog-sql.ts'
import type { Session } from '../duckdb/session.ts'
import { name, type Sql, sql, textList } from '../duckdb/sql.ts'
import { writeParquetFile } from '../duckdb/write-parquet.ts'
import { mergeSorted } from './pieces/merge-files.ts'

/** Keys per comparison, by hash: the keys of a table exceed the writer's memory. */
const KEYS_AT_ONCE = 250_000

/** Replaced row numbers by file number. */
const GONE = name('gone')

export interface KeyedWork {
  readonly session: Session
  readonly resource: Resource
  readonly key: Sql
}

/**
 * Merges live rows without arriving keys and the last arriving row per key into one file; sorted inputs stay sorted.
 * Returns the number of rows.
 * Errors: those of DuckDB.
 */
export async function upsertFiles(session: Session, resource: Resource, upsert: Upsert): Promise<number> {
  const work = { session, resource, key: name(resource.key ?? '') }
  const { files, arriving, to } = upsert
  await session.run(sql`CREATE OR REPLACE TEMP TABLE ${GONE} (file INTEGER, n BIGINT)`)
  await findSuperseded(work, upsert)
  const [old, fresh] = [`${to}.old`, `${to}.new`]
  const keptPaths = await copyKept(work, files, 0, old)
  const came = await copyKept(work, [arriving], files.length, fresh)
  await session.run(sql`DROP TABLE ${GONE}`)
  if (keptPaths === 0) await rename(fresh, to)
  else if (came === 0) await rename(old, to)
  else await mergeSorted({ session, resource, file: old, arriving: fresh }, to)
  for (const path of [old, fresh]) await rm(path, { force: true })
  return keptPaths + came
}

/** Live rows replaced by a source or key, and arriving rows replaced by a later one. */
async function findSuperseded(work: KeyedWork, { files, without, arriving, sources }: Upsert): Promise<void> {
  const { session, resource, key } = work
  const buckets = await bucketsOf(work, [...files, arriving])
  for (const bucket of buckets) {
    await session.run(
      sql`INSERT INTO ${GONE} SELECT ${files.length}, n FROM (
         SELECT file_row_number AS n, row_number() OVER (
           PARTITION BY ${key} ORDER BY ${rankOf(sources)} DESC, ordinal DESC) AS place
         FROM ${scanFile(resource, arriving)} WHERE ${bucket}) WHERE place > 1`,
    )
    for (const [index, file] of files.entries()) {
      await session.run(
        sql`INSERT INTO ${GONE} SELECT ${index}, file_row_number FROM ${scanFile(resource, file)} WHERE ${bucket} AND
          (${isOf(without)} OR ${key} IN (SELECT ${key} FROM ${scanFile(resource, arriving)} WHERE ${bucket}))`,
      )
    }
  }
}

/** Conditions that partition the keys of files. */
export async function bucketsOf(
  { session, resource, key }: KeyedWork,
  files: readonly FileToRead[],
): Promise<readonly Sql[]> {
  let rows = 0
  for (const file of files)
    rows += await session.number(sql`SELECT count(*) FROM ${scanFile(resource, file)}`)
  const count = Math.max(1, Math.ceil(rows / KEYS_AT_ONCE))
  return Array.from({ length: count }, (_, bucket) => sql`hash(${key}) % ${count} = ${bucket}`)
}

export function rankOf(sources: readonly string[]): Sql {
  return sql`list_position(${textList(sources)}, source_file)`
}

export function isOf(sources: readonly string[]): Sql {
  return sql`list_contains(${textList(sources)}, source_file)`
}

/** Copies files in order without replaced rows; returns the number of rows. */
async function copyKept(
  { session, resource }: KeyedWork,
  files: readonly FileToRead[],
  firstNumber: number,
  to: string,
): Promise<number> {
  if (files.length === 0) return 0
  let gone = 0
  const selects: Sql[] = []
  let rows = 0
  for (const [index, file] of files.entries()) {
    const numbers = sql`SELECT n FROM ${GONE} WHERE file = ${firstNumber + index}`
    gone += await session.number(sql`SELECT count(*) FROM (${numbers})`)
    rows += await session.number(sql`SELECT count(*) FROM ${scanFile(resource, file)}`)
    selects.push(selectRows(resource, file, sql`file_row_number NOT IN (${numbers})`))
  }
  const [only] = files
  const isWhole = only !== undefined && files.length === 1 && gone === 0 && lacksOf(only).length === 0
  if (isWhole) await link(pathOf(only), to)
  else await writeParquetFile(session, resource, selects, to)
  return rows - gone
}
