import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../base/errors.ts'
import {
  ConfinedSession,
  type ResultColumn,
  type TextRows,
} from '../../engine/duckdb/confined/confined-session.ts'
import { readFault } from '../../engine/duckdb/failures.ts'
import type { DuckdbLimits } from '../../engine/duckdb/open-duckdb.ts'
import type { Sql } from '../../engine/duckdb/sql.ts'
import { refuseUnwritableFolder } from '../../lake/disk/unwritable.ts'
import type { CheckedFiles } from '../../lake/integrity/checked-files.ts'
import { uncheckedFiles } from '../../lake/integrity/unchecked-files.ts'
import { describing } from './describe.ts'
import { fileViews, type ListFile } from './file-views.ts'
import { type Allowed, checkTree } from './gate.ts'
import { filesNamedIn, lakeViews } from './lake-views.ts'
import { readTree, refuseHugeResults, refuseMany, refuseNul } from './read-tree.ts'
import {
  csvHead,
  csvSelect,
  hasNestedDoubles,
  LINES_BEFORE,
  ndjsonSelect,
  parquetSelect,
  quoteNotNumbers,
  textSelect,
  withDistinctNames,
} from './result-select.ts'
import type { SnapshotFiles } from './snapshot-files.ts'
import { splitStatements } from './split-statements.ts'
import { refuseSql } from './sql-errors.ts'

export type { ResultColumn, TextRows }

export interface SqlOptions extends Omit<DuckdbLimits, 'spillFolder'> {
  /** Lake folder, removed from paths in errors. */
  readonly lake: string
  readonly at: SnapshotFiles
  /** Folder for spill and for the Parquet result. */
  readonly scratchFolder: string
  /** Exported files, if statements read these instead of a lake. */
  readonly listFiles?: readonly ListFile[]
  /** Checks data files before a statement reads them; optional. */
  readonly checkedFiles?: CheckedFiles
}

/** A statement that passed the gate, with distinct column names. */
export interface CheckedStatement {
  readonly text: string
  readonly columns: readonly ResultColumn[]
}

/**
 * Runs SELECTs of users over a snapshot, one at a time.
 * Errors: `malformed_request` with the message of DuckDB, `lake_damaged`; the reason of the signal.
 */
export class SqlSession {
  readonly #session: ConfinedSession
  readonly #allowed: Allowed
  readonly #options: SqlOptions

  private constructor(session: ConfinedSession, allowed: Allowed, options: SqlOptions) {
    this.#session = session
    this.#allowed = allowed
    this.#options = options
  }

  static async open(sqlOptions: SqlOptions): Promise<SqlSession> {
    const { at, listFiles, scratchFolder, memoryMb, threads, spillMb } = sqlOptions
    const views = listFiles === undefined ? lakeViews(at) : fileViews(listFiles)
    const files = (listFiles ?? Object.values(at.tables).flat()).map(({ path }) => path)
    const resultFile = resultFileIn(scratchFolder)
    const options = { files, resultFile, views, spillFolder: scratchFolder, memoryMb, threads, spillMb }
    const session = await ConfinedSession.open(options).catch((error) => refuseSql(error, sqlOptions))
    const builtIn = await session.send('SELECT lower(view_name) AS name FROM duckdb_views() WHERE internal')
    const tables = new Set(views.map(({ name }) => name))
    const reserved = new Set(builtIn.map(({ name }) => String(name)))
    return new SqlSession(session, { tables, reserved }, sqlOptions)
  }

  /** Checks and plans one statement. Only a single SELECT is planned, since planning can write. */
  async check(script: string, signal?: AbortSignal): Promise<CheckedStatement> {
    const { ended, unended } = splitStatements(script)
    const [text = script, ...remaining] = [...ended, unended].filter((statement) => statement !== '')
    if (remaining.length > 0) return refuseMany(remaining.length + 1)
    refuseNul(text)
    return await this.#explained(
      async () => {
        const [row] = await this.#session.send('SELECT json_serialize_sql($1::VARCHAR) AS tree', [text])
        const tree = readTree(String(row?.tree), text)
        checkTree(tree, this.#allowed)
        // Planning opens files too.
        await this.#checked(text, async () => {}, signal)
        const passed = describing(tree) ?? text
        const columns = await this.#session.columnsOf(passed, signal)
        refuseHugeResults(columns)
        return { text: passed, columns: withDistinctNames(columns) }
      },
      0,
      signal,
    )
  }

  /** Streams the rows as text. */
  rows({ text, columns }: CheckedStatement, signal?: AbortSignal): AsyncGenerator<TextRows> {
    return this.#rows(text, textSelect(text, columns), columns.length, signal)
  }

  /** Streams the rows as lines of a format, after the header for CSV. */
  async *lines(
    { text, columns }: CheckedStatement,
    format: 'csv' | 'ndjson',
    signal?: AbortSignal,
  ): AsyncGenerator<string> {
    if (format === 'csv') yield csvHead(columns)
    const select = (format === 'csv' ? csvSelect : ndjsonSelect)(text, columns)
    const mend = format === 'ndjson' && columns.some(hasNestedDoubles) ? quoteNotNumbers : identity
    for await (const rows of this.#rows(text, select, 1, signal))
      yield mend(rows.map(([line]) => `${line}\n`).join(''))
  }

  /** Runs work after a check of the files that the statement may read. */
  #checked<T>(text: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { checkedFiles = uncheckedFiles, at } = this.#options
    return checkedFiles.read(filesNamedIn(text, at), work, signal, isFileFault)
  }

  async *#rows(text: string, select: Sql, width: number, signal?: AbortSignal): AsyncGenerator<TextRows> {
    const { checkedFiles = uncheckedFiles, at } = this.#options
    const run = () => this.#session.textRows(select, width, signal)
    try {
      yield* checkedFiles.stream(filesNamedIn(text, at), run, signal, isFileFault)
    } catch (error) {
      signal?.throwIfAborted()
      refuseSql(error, this.#options, LINES_BEFORE)
    }
  }

  /** Writes the rows to a Parquet file in the scratch folder and returns its path. */
  async parquet({ text, columns }: CheckedStatement, signal?: AbortSignal): Promise<string> {
    const { scratchFolder } = this.#options
    await mkdir(scratchFolder, { recursive: true }).catch((error) =>
      refuseUnwritableFolder(error, scratchFolder),
    )
    const hasBlobs = columns.some(({ type }) => type.includes('BLOB'))
    const write = () => this.#session.writeParquet(parquetSelect(text, columns), hasBlobs, signal)
    await this.#explained(() => this.#checked(text, write, signal), LINES_BEFORE, signal)
    return resultFileIn(scratchFolder)
  }

  close(): void {
    this.#session.close()
  }

  async #explained<T>(work: () => Promise<T>, linesBefore = 0, signal?: AbortSignal): Promise<T> {
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      return refuseSql(error, this.#options, linesBefore)
    }
  }
}

/** Errors about the text of a statement are faults of the client, not damage. */
const isFileFault = (error: unknown) => readFault(error) instanceof ServiceError

const resultFileIn = (folder: string) => join(folder, 'result.parquet')

const identity = (lines: string) => lines
