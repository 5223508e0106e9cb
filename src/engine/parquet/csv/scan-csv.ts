import type { BrokenCsv, CsvOptions, NewLine } from '../../../lake/ports/csv-stage.ts'
import { filePattern } from '../../duckdb/duckdb-dialect.ts'
import type { Session } from '../../duckdb/session.ts'
import { type Sql, sql } from '../../duckdb/sql.ts'
import type { Cell } from './csv-columns.ts'

/** The longest record that is read without looking for longer ones, in bytes. */
export const USUAL_RECORD = 16 * 1024 * 1024
/** The engine holds in memory what it could not cut into cells. */
const MOST_UNCUT = 100_000

/** As the engine spells them. */
const newLines: Readonly<Record<NewLine, string>> = { '\n': '\\n', '\r\n': '\\r\\n', '\r': '\\r' }

/** A file of CSV, and its longest record in bytes. */
export interface ScannedCsv extends Pick<CsvOptions, 'isGzip' | 'hasHeader' | 'newLine'> {
  readonly path: string
  readonly longest: number
}

/** FROM item over the records of a file that can be cut into cells, each a text or null. */
export function scanCsv({ path, longest, ...options }: ScannedCsv, cells: readonly Cell[]): Sql {
  const columns = cells.map((cell) => sql`${cell.sql}: 'VARCHAR'`)
  const newLine = options.newLine === undefined ? sql`` : sql`, new_line = ${newLines[options.newLine]}`
  return sql`read_csv(${filePattern(path)}, columns = {${columns}}, auto_detect = false,
    header = ${options.hasHeader ? sql`true` : sql`false`}, compression = ${options.isGzip ? 'gzip' : 'none'},
    delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false,
    null_padding = false, hive_partitioning = false, max_line_size = ${longest},
    buffer_size = ${2 * longest}, store_rejects = true, rejects_limit = ${MOST_UNCUT}${newLine})`
}

/** A record that cannot be cut into the cells of its table. Its line is counted from 1. */
interface UncutRecord {
  readonly line: bigint
  readonly cells: number
  readonly text: string
}

/** What a scan could not cut, or why the file cannot be trusted. */
export interface Uncut {
  readonly records: readonly UncutRecord[]
  readonly broken: BrokenCsv | undefined
}

/** How the engine names what it could not read, and what that says of the file. */
const breakages: Readonly<Record<string, 'quote' | 'encoding' | 'length'>> = {
  'UNQUOTED VALUE': 'quote',
  'INVALID ENCODING': 'encoding',
  'LINE SIZE OVER MAXIMUM': 'length',
}

/** Runs what scans one file and gives what could not be cut, which the engine then forgets. */
export async function runScan(session: Session, query: Sql): Promise<Uncut> {
  try {
    await session.run(query)
    return await readUncut(session)
  } catch (error) {
    // It says so of a line end that is not like the one before it.
    const isMixed = error instanceof Error && error.message.includes('reached an invalid state')
    if (!isMixed) throw error
    return { records: [], broken: { by: 'line ends' } }
  } finally {
    await session.run(sql`DROP TABLE IF EXISTS reject_errors`)
    await session.run(sql`DROP TABLE IF EXISTS reject_scans`)
  }
}

/** DuckDB reports an error for each missing or surplus cell: their number is the least index of missing ones, or the largest of surplus ones. */
const CELLS_FOUND = sql`if(bool_or(error_type::VARCHAR = 'TOO MANY COLUMNS'), max(column_idx), min(column_idx))::INTEGER`

async function readUncut(session: Session): Promise<Uncut> {
  const rows = await session.tuples<[bigint, number, string, string | null, number]>(
    sql`SELECT line::BIGINT AS line, ${CELLS_FOUND}, ltrim(first(csv_line), ${'\r\n'}),
       first(error_type::VARCHAR) FILTER (error_type::VARCHAR IN (${namesOfBreakages})) AS breakage,
       (SELECT count(*)::INTEGER FROM reject_errors)
     FROM reject_errors GROUP BY line ORDER BY breakage IS NULL, line`,
  )
  const [first] = rows
  if (first === undefined) return { records: [], broken: undefined }
  const [line, , text, breakage, faults] = first
  const by = breakages[breakage ?? '']
  if (by === 'length') return { records: [], broken: { by, line, most: USUAL_RECORD } }
  if (by !== undefined) return { records: [], broken: { by, line, text } }
  if (faults >= MOST_UNCUT) return { records: [], broken: { by: 'lines', lines: rows.length } }
  return { records: rows.map(([line, cells, text]) => ({ line, cells, text })), broken: undefined }
}

const namesOfBreakages = Object.keys(breakages).map((breakage) => sql`${breakage}`)
