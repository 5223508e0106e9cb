import { grainOf, partitionOf } from '../../../catalog/partition.ts'
import type { Resource } from '../../../catalog/resource.ts'
import type { CsvRead, RefusedRecord } from '../../../write/ports/csv-stage.ts'
import { scanPaths } from '../../duckdb/catalog-sql.ts'
import type { Session } from '../../duckdb/session.ts'
import { name, sql } from '../../duckdb/sql.ts'
import { type CsvCell, expectedIn } from './csv-columns.ts'
import type { LongRecord } from './long-records.ts'
import type { Uncut } from './scan-csv.ts'

/** A CSV file staged in Parquet. */
export interface LoadedCsv {
  readonly resource: Resource
  readonly cells: readonly CsvCell[]
  readonly path: string
  readonly uncut: Uncut
  /** Records longer than this many bytes, which were not scanned. */
  readonly tooLong: readonly LongRecord[]
  readonly longestRecord: number
}

/** Extra columns of a staged file: the number of the invalid cell, then all cells. */
export const FAULT = name('_fault')
export const CELLS = name('_cells')

/** Covers 54 years of days, and more block ranges than any ledger has. */
const MOST_GRAINS = 20_000
const LONGEST_SHOWN = 80

/** Counts the staged rows by partition. */
export async function countRows(
  session: Session,
  { resource, path }: LoadedCsv,
): Promise<Omit<CsvRead, 'firstRefused'>> {
  const scan = scanPaths([path], true)
  const [[records = 0, refused = 0] = []] = await session.tuples<[number, number]>(
    sql`SELECT count(*)::INTEGER, count(${FAULT})::INTEGER FROM ${scan}`,
  )
  const rows = new Map<string | null, number>()
  const grain = grainOf(resource)
  if (grain === null || resource.partition === null) {
    if (records > refused) rows.set(null, records - refused)
    return { records, refused, rows, broken: undefined }
  }
  const column = resource.partition.of
  const value = name(column)
  const grains = await session.tuples<[bigint, number]>(
    sql`SELECT min(${value})::BIGINT, count(*)::INTEGER FROM ${scan} WHERE ${FAULT} IS NULL
        GROUP BY ${value} // ${grain} LIMIT ${MOST_GRAINS + 1}`,
  )
  if (grains.length > MOST_GRAINS)
    return { records, refused, rows, broken: { by: 'spread', column, most: MOST_GRAINS } }
  for (const [least, count] of grains) {
    const partition = partitionOf(resource, least)
    rows.set(partition, count + (rows.get(partition) ?? 0))
  }
  return { records, refused, rows, broken: undefined }
}

/** First refused records: those with an invalid cell, then those that could not be split, after `cut` others. */
export async function readRefused(
  session: Session,
  { cells, path, resource, uncut, tooLong, longestRecord }: LoadedCsv,
  cut: number,
  most: number,
): Promise<readonly RefusedRecord[]> {
  const faulty = await session.tuples<[bigint, number, readonly (string | null)[]]>(
    sql`SELECT ordinal, ${FAULT}, ${CELLS} FROM ${scanPaths([path], true)} WHERE ${FAULT} IS NOT NULL
        ORDER BY ordinal LIMIT ${most}`,
  )
  const withFault = faulty.map(([ordinal, fault, texts]): RefusedRecord => {
    const { name: cell = '', column = '' } = cells[fault] ?? {}
    const isJson = resource.columns[column]?.kind === 'object'
    const reason = `${cell} is ${shown(texts[fault] ?? null, isJson)}; expected ${expectedIn(resource, column)}`
    return { ordinal, reason, message: Buffer.from(texts.map(writeCell).join(',')) }
  })
  const withoutCells = uncut.records.map(({ record, cells: cellCount, text }, index): RefusedRecord => {
    const noun = cellCount === 1 ? 'cell' : 'cells'
    const reason = `record ${record} has ${cellCount} ${noun}; expected ${cells.length}`
    return { ordinal: BigInt(cut + index), reason, message: Buffer.from(text) }
  })
  const beyond = tooLong.map(({ record, start, end, head }, index): RefusedRecord => {
    const reason =
      `record ${record} has ${end - start} bytes; the limit is ${longestRecord}: raise ingest_record_mb ` +
      `and ingest the file again with --replace. Its first ${head.length} bytes are kept here`
    return { ordinal: BigInt(cut + uncut.records.length + index), reason, message: head }
  })
  return [...withFault, ...withoutCells, ...beyond].slice(0, most)
}

/** Quoted, since an extra blank is a fault too; JSON has its own quotes. */
function shown(text: string | null, isJson: boolean): string {
  if (text === null || text === '') return 'empty'
  const start = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
  return isJson ? start : JSON.stringify(start)
}

/** A null is an empty cell; an empty text is quoted. */
function writeCell(text: string | null): string {
  if (text === null) return ''
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
