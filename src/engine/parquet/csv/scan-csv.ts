import type { BrokenCsv, CsvOptions, NewLine } from '../../../write/ports/csv-stage.ts'
import { filePattern } from '../../duckdb/duckdb-dialect.ts'
import type { Session } from '../../duckdb/session.ts'
import { type Sql, sql } from '../../duckdb/sql.ts'
import type { CsvCell } from './csv-columns.ts'

/** Records up to this length need no measurement. */
export const USUAL_RECORD = 16 * 1024 * 1024
/** The engine keeps unsplit records in memory. */
const MOST_UNCUT = 100_000

const newLines: Readonly<Record<NewLine, string>> = { '\n': '\\n', '\r\n': '\\r\\n', '\r': '\\r' }

export interface ScannedCsv extends Pick<CsvOptions, 'isGzip' | 'hasHeader' | 'newLine'> {
  readonly path: string
  readonly longest: number
}

/** FROM item over the records that can be split, each cell a text or null. */
export function scanCsv({ path, longest, ...options }: ScannedCsv, cells: readonly CsvCell[]): Sql {
  const columns = cells.map((cell) => sql`${cell.sql}: 'VARCHAR'`)
  const newLine = options.newLine === undefined ? sql`` : sql`, new_line = ${newLines[options.newLine]}`
  return sql`read_csv(${filePattern(path)}, columns = {${columns}}, auto_detect = false,
    header = ${options.hasHeader ? sql`true` : sql`false`}, compression = ${options.isGzip ? 'gzip' : 'none'},
    delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false,
    null_padding = false, hive_partitioning = false, max_line_size = ${longest},
    buffer_size = ${2 * longest}, store_rejects = true, rejects_limit = ${MOST_UNCUT}${newLine})`
}

/** A record that cannot be split into the cells of its table; numbers from 1. */
interface UncutRecord {
  readonly record: bigint
  readonly cells: number
  readonly text: string
}

/** Records that could not be split, or the reason to refuse the file. */
export interface Uncut {
  readonly records: readonly UncutRecord[]
  readonly broken: BrokenCsv | undefined
}

/** Engine error types, and their meaning for the file. */
const breakages: Readonly<Record<string, 'quote' | 'encoding' | 'length'>> = {
  'UNQUOTED VALUE': 'quote',
  'INVALID ENCODING': 'encoding',
  'LINE SIZE OVER MAXIMUM': 'length',
}

/** Runs the scan of a file and returns and clears the rejected records. */
export async function runScan(session: Session, query: Sql): Promise<Uncut> {
  try {
    await session.run(query)
    return await readUncut(session)
  } catch (error) {
    // DuckDB reports mixed line ends this way.
    const isMixed = error instanceof Error && error.message.includes('reached an invalid state')
    if (!isMixed) throw error
    return { records: [], broken: { by: 'line ends' } }
  } finally {
    await session.run(sql`DROP TABLE IF EXISTS reject_errors`)
    await session.run(sql`DROP TABLE IF EXISTS reject_scans`)
  }
}

/**
 * DuckDB reports an error per missing or surplus cell: the count is the least missing index, or the greatest surplus
 * one.
 */
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
  const [record, , text, breakage, faults] = first
  const by = breakages[breakage ?? '']
  if (by === 'length') return { records: [], broken: { by, record, most: USUAL_RECORD } }
  if (by !== undefined) return { records: [], broken: { by, record, text } }
  if (faults >= MOST_UNCUT) return { records: [], broken: { by: 'lines', lines: rows.length } }
  return { records: rows.map(([record, cells, text]) => ({ record, cells, text })), broken: undefined }
}

const namesOfBreakages = Object.keys(breakages).map((breakage) => sql`${breakage}`)
