import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Resource } from '../../catalog/resource.ts'
import { type ValueRange, valuesOfPartition } from '../../derive/partition.ts'
import type { CsvOptions, CsvRead, CsvStage } from '../../lake/csv-stage.ts'
import { isInRange, scanPath, typeOf } from './catalog-sql.ts'
import { type Cell, cellsOf, faultOf, storedColumns } from './csv-columns.ts'
import { CELLS, countRows, FAULT, type LoadedCsv, readRefused } from './csv-read.ts'
import { runScan, scanCsv } from './scan-csv.ts'
import type { Session } from './session.ts'
import { writeSorted } from './sort-pieces.ts'
import { joined, name, type Sql, sql } from './sql.ts'
import { writeParquet } from './write-parquet.ts'

/** Partitions are read out of it one by one, so a staged file is cut finely. */
const STAGED_GROUP_ROWS = 20_480

/** Each file of CSV becomes one unsorted Parquet file in the folder of the run; sorting comes with writing. */
export function openDuckdbCsvStage(session: Session, resource: Resource): CsvStage {
  const cells = cellsOf(resource)
  const pathOf = (index: number) => join(session.spillFolder, `${resource.name}-${index}.csv.parquet`)
  const staged = new Set<string>()
  let rows = 0

  return {
    get rows() {
      return rows
    },

    async load(path, options) {
      const to = pathOf(options.index)
      staged.add(to)
      const loaded = await loadCsv(session, resource, cells, path, to, options)
      const read = await readLoaded(session, loaded, path, options)
      for (const count of read.rows.values()) rows += count
      return read
    },

    async write(path, sources, partition) {
      const range = valuesOfPartition(resource, partition)
      const files = [...sources].map(([index, source]) => selectRows(resource, pathOf(index), source, range))
      if (files.length === 0) await writeParquet(session, resource, [], path)
      else await writeSorted(session, resource, joined(files, ' UNION ALL '), path)
    },

    async drop() {
      for (const path of staged) await rm(path, { force: true })
      staged.clear()
    },
  }
}

/** One thread reads the records in their order, which their ordinals follow from. */
async function loadCsv(
  session: Session,
  resource: Resource,
  cells: readonly Cell[],
  path: string,
  to: string,
  options: CsvOptions,
): Promise<LoadedCsv> {
  const query = selectStaged(resource, cells, scanCsv(path, cells, options), options.only)
  const copy = sql`COPY (${query}) TO ${to}
    (FORMAT parquet, COMPRESSION lz4_raw, ROW_GROUP_SIZE ${STAGED_GROUP_ROWS})`
  const scan = () => session.withProgress(options.onRead, () => runScan(session, copy))
  return { resource, cells, path: to, uncut: await session.onOneThread(scan) }
}

async function readLoaded(
  session: Session,
  loaded: LoadedCsv,
  path: string,
  options: CsvOptions,
): Promise<CsvRead> {
  const { broken, records: uncut } = loaded.uncut
  if (broken !== undefined) return { records: 0, rows: new Map(), refused: 0, told: [], broken }
  const counted = await countRows(session, loaded)
  const records = counted.records + uncut.length
  const refused = counted.refused + uncut.length
  const most = refused <= options.mostRefused(records) ? refused : 1
  // Records that were not taken count too where a record stands in its file.
  const before =
    options.only === undefined || uncut.length === 0
      ? counted.records
      : await session.number(sql`SELECT count(*) FROM ${scanCsv(path, loaded.cells, options)}`)
  const told = await readRefused(session, loaded, before, most)
  return { records, rows: counted.rows, refused, told, broken: counted.broken }
}

/** SELECT of every record with its ordinal, typed, and with its cells where one of them is at fault. */
function selectStaged(
  resource: Resource,
  cells: readonly Cell[],
  scan: Sql,
  only: ValueRange | undefined,
): Sql {
  const texts = cells.map((cell) => cell.sql)
  const all = sql`SELECT ${storedColumns(resource, cells)}, ordinal,
    fault AS ${FAULT}, CASE WHEN fault IS NOT NULL THEN [${texts}] END AS ${CELLS}
    FROM (SELECT *, ${faultOf(resource, cells)} AS fault
    FROM (SELECT row_number() OVER () - 1 AS ordinal, * FROM ${scan}))`
  if (only === undefined) return all
  const unread = cells.findIndex(({ column }) => column === only.column)
  return sql`SELECT * FROM (${all}) WHERE ${isInRange(only)} OR ${FAULT} = ${unread}`
}

/** SELECT of the sound rows of one staged file as they are stored. */
function selectRows(resource: Resource, path: string, source: string, range: ValueRange | null): Sql {
  const filled = [...cellsOf(resource).map(({ column }) => column), 'ordinal']
  const columns = Object.entries(resource.columns).map(([column, { kind }]) => {
    if (column === 'source_file') return sql`${source} AS ${name(column)}`
    const isFilled = filled.includes(column) || filled.includes(column.replace(/_exact$/, ''))
    return isFilled ? name(column) : sql`NULL::${typeOf(kind)} AS ${name(column)}`
  })
  return sql`SELECT ${columns} FROM ${scanPath(path)} WHERE ${FAULT} IS NULL AND ${isInRange(range)}`
}
