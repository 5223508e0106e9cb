import { rm } from 'node:fs/promises'
import type { ValueRange } from '../../../catalog/partition.ts'
import type { Resource } from '../../../catalog/resource.ts'
import type { BrokenCsv, CsvOptions, CsvRead } from '../../../lake/ports/csv-stage.ts'
import { isInRange } from '../../duckdb/catalog-sql.ts'
import type { Session } from '../../duckdb/session.ts'
import { type Sql, sql } from '../../duckdb/sql.ts'
import { type Cell, faultOf, storedColumns } from './csv-columns.ts'
import { CELLS, countRows, FAULT, type LoadedCsv, readRefused } from './csv-read.ts'
import { copyWithoutRecords, hasTooManyLong, type LongRecord, measureRecords } from './long-records.ts'
import { runScan, type ScannedCsv, scanCsv, USUAL_RECORD } from './scan-csv.ts'

/** Partitions are read out of it one by one, so a staged file is cut finely. */
const STAGED_GROUP_ROWS = 20_480
/** The engine holds a record in its buffers, as a cell and as a value that it writes. */
const MEMORY_PER_RECORD = 12

/** One file of a table, and the Parquet file that its records are staged in. */
interface Load {
  readonly session: Session
  readonly resource: Resource
  readonly cells: readonly Cell[]
  readonly path: string
  readonly to: string
  readonly options: CsvOptions
}

/**
 * Reads a CSV file into an unsorted Parquet file. A file with zero bytes behind its gzip stream is unpacked first, since the
 * engine takes them for a fault.
 */
export async function loadCsvFile(load: Load): Promise<CsvRead> {
  const { path, to, options } = load
  if (options.isPadded) {
    const copy = `${to}.unpacked`
    try {
      await copyWithoutRecords({ path, ...options }, [], copy)
      const unpacked = { ...options, isGzip: false, isPadded: false }
      return await loadCsvFile({ ...load, path: copy, options: unpacked })
    } finally {
      await rm(copy, { force: true })
    }
  }
  const longest = Math.min(USUAL_RECORD, load.session.longestRecord)
  const usual = { path, ...options, longest, tooLong: [] }
  const loaded = await stageCsv(load, usual)
  return loaded.uncut.broken?.by === 'length' ? await loadLong(load) : await readLoaded(load, loaded, usual)
}

/** The same for a file with long records: their lengths are measured first, and those beyond the limit are refused alone. */
async function loadLong(load: Load): Promise<CsvRead> {
  const { session, path, to, options } = load
  const most = session.longestRecord
  const lengths = await measureRecords({ path, ...options }, most)
  const { longest, records, beyond: tooLong } = lengths
  const [first] = tooLong
  if (first !== undefined && hasTooManyLong(lengths))
    return brokenRead({ by: 'length', line: first.line, most })
  const copy = `${to}.short`
  try {
    if (first !== undefined) await copyWithoutRecords({ path, ...options }, tooLong, copy)
    // The engine counts a line end of two bytes as well.
    const scanned = { path, ...options, longest: longest + 2, tooLong, records }
    const short = first === undefined ? scanned : { ...scanned, path: copy, isGzip: false }
    const memoryMb = MEMORY_PER_RECORD * Math.ceil(longest / 1024 / 1024)
    return await session.withMemory(
      memoryMb,
      async () => await readLoaded(load, await stageCsv(load, short), short),
    )
  } finally {
    await rm(copy, { force: true })
  }
}

/** A file to scan, and its records that are too long, which are not in it. */
interface Scanned extends ScannedCsv {
  readonly tooLong: readonly LongRecord[]
  /** All records of the file, where they were measured. */
  readonly records?: number
}

const brokenRead = (broken: BrokenCsv): CsvRead => ({
  records: 0,
  rows: new Map(),
  refused: 0,
  firstRefused: [],
  broken,
})

/** One thread reads the records in their order, which their ordinals follow from. */
async function stageCsv(
  { session, resource, cells, to, options }: Load,
  scanned: Scanned,
): Promise<LoadedCsv> {
  const query = selectStaged(resource, cells, scanCsv(scanned, cells), options.only)
  const copy = sql`COPY (${query}) TO ${to}
    (FORMAT parquet, COMPRESSION lz4_raw, ROW_GROUP_SIZE ${STAGED_GROUP_ROWS})`
  const scan = () => session.withProgress(options.onRead, () => runScan(session, copy))
  const uncut = await session.onOneThread(scan)
  return { resource, cells, path: to, uncut, tooLong: scanned.tooLong, longestRecord: session.longestRecord }
}

async function readLoaded({ session, options }: Load, loaded: LoadedCsv, scanned: Scanned): Promise<CsvRead> {
  const { broken, records: uncut } = loaded.uncut
  if (broken !== undefined) return brokenRead(broken)
  const counted = await countRows(session, loaded)
  const leftOut = uncut.length + scanned.tooLong.length
  const records = counted.records + leftOut
  const refused = counted.refused + leftOut
  const most = refused <= options.mostRefused(records) ? refused : 1
  // Records that were not taken count too where a record stands in its file.
  const before =
    options.only === undefined || leftOut === 0
      ? counted.records
      : await session.number(sql`SELECT count(*) FROM ${scanCsv(scanned, loaded.cells)}`)
  const [long] = scanned.tooLong
  // Where the engine and the measure do not agree on what a record is, a long one may hold others.
  if (long !== undefined && before + leftOut !== scanned.records)
    return brokenRead({ by: 'quote', line: long.line, text: long.head.toString('utf8') })
  const firstRefused = await readRefused(session, loaded, before, most)
  return { records, rows: counted.rows, refused, firstRefused, broken: counted.broken }
}

/** SELECT of every record with its ordinal, typed, and with its cells where one of them is at fault. */
function selectStaged(
  resource: Resource,
  cells: readonly Cell[],
  scan: Sql,
  only: ValueRange | undefined,
): Sql {
  const texts = cells.map((cell) => cell.sql)
  const selection = sql`SELECT ${storedColumns(resource, cells)}, ordinal,
    fault AS ${FAULT}, CASE WHEN fault IS NOT NULL THEN [${texts}] END AS ${CELLS}
    FROM (SELECT *, ${faultOf(resource, cells)} AS fault
    FROM (SELECT row_number() OVER () - 1 AS ordinal, * FROM ${scan}))`
  if (only === undefined) return selection
  const unread = cells.findIndex(({ column }) => column === only.column)
  return sql`SELECT * FROM (${selection}) WHERE ${isInRange(only)} OR ${FAULT} = ${unread}`
}
