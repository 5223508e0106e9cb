import { rm } from 'node:fs/promises'
import type { ValueRange } from '../../../catalog/partition.ts'
import type { Resource } from '../../../catalog/resource.ts'
import type { BrokenCsv, CsvOptions, CsvRead } from '../../../write/ports/csv-stage.ts'
import { isInRange } from '../../duckdb/catalog-sql.ts'
import type { Session } from '../../duckdb/session.ts'
import { type Sql, sql } from '../../duckdb/sql.ts'
import { type CsvCell, firstFault, storedCells } from './csv-columns.ts'
import { CELLS, countRows, FAULT, type LoadedCsv, readRefused } from './csv-read.ts'
import { copyWithoutRecords, hasTooManyLong, type LongRecord, measureRecords } from './long-records.ts'
import { runScan, type ScannedCsv, scanCsv, USUAL_RECORD } from './scan-csv.ts'

/** A staged file has small row groups, since partitions are read one by one. */
const STAGED_GROUP_ROWS = 20_480
/** The engine holds a record as buffer, cell and written value. */
const MEMORY_PER_RECORD = 12

/** A CSV file of a table, and its staged Parquet file. */
interface Load {
  readonly session: Session
  readonly resource: Resource
  readonly cells: readonly CsvCell[]
  readonly path: string
  readonly to: string
  readonly options: CsvOptions
}

/**
 * Reads a CSV file into an unsorted Parquet file. Zero bytes after the gzip stream are an error for the engine, so
 * such a file is unpacked first.
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

/** The same for long records, which are measured first; only those beyond the limit are refused. */
async function loadLong(load: Load): Promise<CsvRead> {
  const { session, path, to, options } = load
  const most = session.longestRecord
  const lengths = await measureRecords({ path, ...options }, most)
  const { longest, records, beyond: tooLong } = lengths
  const [first] = tooLong
  if (first !== undefined && hasTooManyLong(lengths))
    return brokenRead({ by: 'length', record: first.record, most })
  const copy = `${to}.short`
  try {
    if (first !== undefined) await copyWithoutRecords({ path, ...options }, tooLong, copy)
    // The engine includes a line end of two bytes.
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

/** A file without its over-long records. */
interface Scanned extends ScannedCsv {
  readonly tooLong: readonly LongRecord[]
  /** Total records, if measured. */
  readonly records?: number
}

const brokenRead = (broken: BrokenCsv): CsvRead => ({
  records: 0,
  rows: new Map(),
  refused: 0,
  firstRefused: [],
  broken,
})

/** One thread keeps the order of records, which ordinals depend on. */
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
  // Skipped records count in the ordinals too.
  const before =
    options.only === undefined || leftOut === 0
      ? counted.records
      : await session.number(sql`SELECT count(*) FROM ${scanCsv(scanned, loaded.cells)}`)
  const [long] = scanned.tooLong
  // If engine and measurement disagree on record ends, a long record may contain others.
  if (long !== undefined && before + leftOut !== scanned.records)
    return brokenRead({ by: 'quote', record: long.record, text: long.head.toString('utf8') })
  const firstRefused = await readRefused(session, loaded, before, most)
  return { records, rows: counted.rows, refused, firstRefused, broken: counted.broken }
}

/** SELECT of every record with ordinal and types, and its cells if one is invalid. */
function selectStaged(
  resource: Resource,
  cells: readonly CsvCell[],
  scan: Sql,
  only: ValueRange | undefined,
): Sql {
  const texts = cells.map((cell) => cell.sql)
  const selection = sql`SELECT ${storedCells(resource, cells)}, ordinal,
    fault AS ${FAULT}, CASE WHEN fault IS NOT NULL THEN [${texts}] END AS ${CELLS}
    FROM (SELECT *, ${firstFault(resource, cells)} AS fault
    FROM (SELECT row_number() OVER () - 1 AS ordinal, * FROM ${scan}))`
  if (only === undefined) return selection
  const unread = cells.findIndex(({ column }) => column === only.column)
  return sql`SELECT * FROM (${selection}) WHERE ${isInRange(only)} OR ${FAULT} = ${unread}`
}
