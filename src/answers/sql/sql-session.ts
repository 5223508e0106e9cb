import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fail, ServiceError } from '../../base/errors.ts'
import type {
  ConfinedSession,
  ResultColumn,
  TextRows,
} from '../../engine/duckdb/confined/confined-session.ts'
import { readFault } from '../../engine/duckdb/failures.ts'
import type { DuckdbLimits } from '../../engine/duckdb/open-duckdb.ts'
import type { Sql } from '../../engine/duckdb/sql.ts'
import { refuseUnwritableFolder } from '../../lake/disk/unwritable.ts'
import type { CheckedFiles } from '../../lake/integrity/checked-files.ts'
import { uncheckedFiles } from '../../lake/integrity/unchecked-files.ts'
import { bindValues, type ParameterValues, refuseNested } from './bind-values.ts'
import { describing } from './describe.ts'
import { explainedStatement, planSelect } from './explain.ts'
import { checkTree } from './gate.ts'
import { oneStatement, readTree, refuseHugeResults, refuseNul } from './read-tree.ts'
import {
  arrowSelect,
  csvHead,
  csvSelect,
  emptySelect,
  hasNestedDoubles,
  ndjsonSelect,
  parquetSelect,
  quoteNotNumbers,
  textSelect,
  withDistinctNames,
} from './result-select.ts'
import { SessionParts, type StatementDialect } from './session-parts.ts'
import { refuseSql } from './sql-errors.ts'
import type { ListFile } from './views/file-views.ts'
import { filesNamedIn } from './views/lake-views.ts'
import type { SnapshotFiles } from './views/snapshot-files.ts'

export type { ParameterValues, ResultColumn, TextRows }

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
  /** Types of the parameters $1, $2 and so on, or of each ?, in order. */
  readonly parameters: readonly { readonly type: string }[]
  /** True if it reads the catalog of PostgreSQL. */
  readonly usesCatalog?: boolean
}

export interface CheckOptions {
  /** Types of DuckDB for the parameters; DuckDB infers the others, and VARCHAR if it cannot. */
  readonly parameterTypes?: readonly (string | undefined)[]
  /** Adds the catalog of PostgreSQL, and its schema `public`. */
  readonly dialect?: StatementDialect
}

/** Lines of CSV, or of NDJSON with integers as digits or as text. */
export type LinesForm = 'csv' | 'ndjson' | 'ndjson_texts'

/**
 * Runs SELECTs of users over a snapshot, one at a time.
 * Errors: `malformed_request` with the message of DuckDB, `lake_damaged`; the reason of the signal.
 */
export class SqlSession {
  readonly #parts: SessionParts
  readonly #session: ConfinedSession
  readonly #options: SqlOptions

  private constructor(parts: SessionParts, options: SqlOptions) {
    this.#parts = parts
    this.#session = parts.session
    this.#options = options
  }

  static async open(options: SqlOptions): Promise<SqlSession> {
    const { at, listFiles, scratchFolder, memoryMb, threads, spillMb } = options
    const folders = { resultFile: resultFileIn(scratchFolder), spillFolder: scratchFolder }
    const opened = SessionParts.open({ at, listFiles, ...folders, memoryMb, threads, spillMb })
    return new SqlSession(await opened.catch((error) => refuseSql(error, options, '')), options)
  }

  /** Checks and plans one statement. Only a single SELECT is planned, since planning can write. */
  async check(
    script: string,
    { parameterTypes = [], dialect }: CheckOptions = {},
    signal?: AbortSignal,
  ): Promise<CheckedStatement> {
    const statement = oneStatement(script)
    refuseNul(statement)
    const explained = explainedStatement(statement)
    const written = explained ?? statement
    return await this.#explained(
      written,
      async () => {
        const { text, tree, usesCatalog } = await this.#parts.read(written, dialect, parameterTypes)
        const { node, parameters: count } = readTree(tree, text)
        checkTree(node, this.#parts.allowed(dialect))
        for (const [index, type] of parameterTypes.entries()) refuseNested(type ?? 'VARCHAR', index)
        if (parameterTypes.length > count)
          refuse(`The statement has ${count} parameters, and ${parameterTypes.length} types are given.`)
        await this.#prepare(text, signal)
        if (explained !== undefined && count > 0)
          refuse('EXPLAIN has no values for parameters; write them into the statement.')
        const passed = explained === undefined ? (describing(node) ?? text) : await this.#plan(text, signal)
        const planned = await this.#session.describe(passed, emptySelect(passed), parameterTypes, signal)
        refuseHugeResults(planned.columns)
        planned.parameters.forEach(refuseNested)
        const parameters = planned.parameters.map((type) => ({ type }))
        return { text: passed, columns: withDistinctNames(planned.columns), parameters, usesCatalog }
      },
      signal,
    )
  }

  /** A SELECT of the plan of a statement that passed the gate. */
  async #plan(select: string, signal?: AbortSignal): Promise<string> {
    const rows = await this.#session.send(`EXPLAIN ${select}`, [], signal)
    const plan = rows.map(({ explain_value }) => String(explain_value)).join('\n')
    const { lake, scratchFolder } = this.#options
    return planSelect(plan.replaceAll(`${scratchFolder}/`, '').replaceAll(`${lake}/`, ''))
  }

  /** Streams the rows as text. */
  rows(
    statement: CheckedStatement,
    signal?: AbortSignal,
    values?: ParameterValues,
  ): AsyncGenerator<TextRows> {
    const { text, columns } = statement
    return this.#rows(statement, textSelect(text, columns), columns.length, signal, values)
  }

  /** Streams the rows as lines of a format, after the header for CSV. */
  async *lines(
    statement: CheckedStatement,
    format: LinesForm,
    signal?: AbortSignal,
    values?: ParameterValues,
  ): AsyncGenerator<string> {
    const { text, columns } = statement
    const isCsv = format === 'csv'
    const select = isCsv ? csvSelect(text, columns) : ndjsonSelect(text, columns, format === 'ndjson_texts')
    const mend = !isCsv && columns.some(hasNestedDoubles) ? quoteNotNumbers : identity
    // The head comes with the first rows, so that an early error comes before any byte.
    let head = isCsv ? csvHead(columns) : ''
    for await (const rows of this.#rows(statement, select, 1, signal, values)) {
      yield head + mend(rows.map(([line]) => `${line}\n`).join(''))
      head = ''
    }
    if (head !== '') yield head
  }

  /** Streams the rows as an Arrow IPC stream. */
  async *arrow(
    statement: CheckedStatement,
    signal?: AbortSignal,
    values?: ParameterValues,
  ): AsyncGenerator<Uint8Array> {
    const { text, columns } = statement
    const rows = this.#rows(statement, arrowSelect(text, columns), columns.length, signal, values)
    const { writeArrowRows } = await import('../export/formats/arrow-rows.ts')
    yield* writeArrowRows(columns, rows)
  }

  /**
   * Makes the parts that a statement reads, and checks its files, which planning opens too. Another session may have
   * checked the statement: of another process, or of another snapshot.
   */
  #prepare(text: string, signal?: AbortSignal): Promise<void> {
    return this.#checked(text, () => this.#parts.make(text, signal), signal)
  }

  /** Runs work after a check of the files that the statement may read. */
  #checked<T>(text: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { checkedFiles = uncheckedFiles, at } = this.#options
    return checkedFiles.read(filesNamedIn(text, at), work, signal, isFileFault)
  }

  async *#rows(
    statement: CheckedStatement,
    select: Sql,
    width: number,
    signal?: AbortSignal,
    values?: ParameterValues,
  ): AsyncGenerator<TextRows> {
    const { text } = statement
    const { checkedFiles = uncheckedFiles, at } = this.#options
    if (statement.usesCatalog === true) await this.#parts.openCatalog()
    if (this.#parts.lacks(text)) await this.#explained(text, () => this.#prepare(text, signal), signal)
    const bound = await this.#bind(statement, values, signal)
    const run = () => this.#session.textRows(select, width, signal, bound)
    try {
      yield* checkedFiles.stream(filesNamedIn(text, at), run, signal, isFileFault)
    } catch (error) {
      signal?.throwIfAborted()
      refuseSql(error, this.#options, text)
    }
  }

  /** Writes the rows to a Parquet file in the scratch folder and returns its path. */
  async parquet(
    statement: CheckedStatement,
    signal?: AbortSignal,
    values?: ParameterValues,
  ): Promise<string> {
    const { scratchFolder } = this.#options
    const { text, columns, parameters } = statement
    await mkdir(scratchFolder, { recursive: true }).catch((error) =>
      refuseUnwritableFolder(error, scratchFolder),
    )
    const bound = await this.#bind(statement, values, signal)
    const hasBlobs = columns.some(({ type }) => type.includes('BLOB'))
    const select = parquetSelect(text, columns, parameters.length > 0)
    if (this.#parts.lacks(text)) await this.#explained(text, () => this.#prepare(text, signal), signal)
    const write = () => this.#session.writeParquet(select, hasBlobs, signal, bound)
    await this.#explained(text, () => this.#checked(text, write, signal), signal)
    return resultFileIn(scratchFolder)
  }

  #bind({ parameters }: CheckedStatement, values?: ParameterValues, signal?: AbortSignal) {
    const types = parameters.map(({ type }) => type)
    return bindValues(this.#session, types, values, signal)
  }

  close(): void {
    this.#session.close()
  }

  async #explained<T>(text: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      return refuseSql(error, this.#options, text)
    }
  }
}

function refuse(sentence: string): never {
  return fail('malformed_request', sentence)
}

/** Errors about the text of a statement are faults of the client, not damage. */
const isFileFault = (error: unknown) => readFault(error) instanceof ServiceError

const resultFileIn = (folder: string) => join(folder, 'result.parquet')

const identity = (lines: string) => lines
