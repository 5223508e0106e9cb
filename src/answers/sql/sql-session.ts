import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fail, ServiceError } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import {
  type BoundValues,
  ConfinedSession,
  type ResultColumn,
  type TextRows,
} from '../../engine/duckdb/confined/confined-session.ts'
import type { RowsTable } from '../../engine/duckdb/confined/rows-table.ts'
import type { View } from '../../engine/duckdb/confined/views.ts'
import { readFault } from '../../engine/duckdb/failures.ts'
import type { DuckdbLimits } from '../../engine/duckdb/open-duckdb.ts'
import { isPlainType, type Sql } from '../../engine/duckdb/sql.ts'
import { refuseUnwritableFolder } from '../../lake/disk/unwritable.ts'
import type { CheckedFiles } from '../../lake/integrity/checked-files.ts'
import { uncheckedFiles } from '../../lake/integrity/unchecked-files.ts'
import { describing } from './describe.ts'
import { explainedStatement, planSelect } from './explain.ts'
import { type Allowed, checkTree } from './gate.ts'
import {
  catalogFunctions,
  catalogTables,
  createCatalog,
  movedNames,
} from './postgres-catalog/postgres-catalog.ts'
import { withoutSchema } from './postgres-catalog/statement-text.ts'
import { readTree, refuseHugeResults, refuseMany, refuseNul } from './read-tree.ts'
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
import { splitStatements } from './split-statements.ts'
import { refuseSql } from './sql-errors.ts'
import { fileViews, type ListFile } from './views/file-views.ts'
import { deferredParts, filesNamedIn, namesReadBy, sessionViews } from './views/lake-views.ts'
import type { SnapshotFiles } from './views/snapshot-files.ts'

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
  /** Types of the parameters $1, $2 and so on, or of each ?, in order. */
  readonly parameters: readonly { readonly type: string }[]
  /** True if it reads the catalog of PostgreSQL. */
  readonly usesCatalog?: boolean
}

export interface CheckOptions {
  /** Types of DuckDB for the parameters; DuckDB infers the others, and VARCHAR if it cannot. */
  readonly parameterTypes?: readonly (string | undefined)[]
  /** Adds the catalog of PostgreSQL, and its schema `public`. */
  readonly dialect?: 'postgres'
}

/** Lines of CSV, or of NDJSON with integers as digits or as text. */
export type LinesForm = 'csv' | 'ndjson' | 'ndjson_texts'

/** Values of parameters as texts, which DuckDB casts to the types of the parameters. */
export type ParameterValues = readonly (string | null)[]

/**
 * Runs SELECTs of users over a snapshot, one at a time.
 * Errors: `malformed_request` with the message of DuckDB, `lake_damaged`; the reason of the signal.
 */
export class SqlSession {
  readonly #session: ConfinedSession
  readonly #allowed: Allowed
  readonly #options: SqlOptions
  #hasCatalog = false
  readonly #deferred: Map<string, View | RowsTable>

  private constructor(
    session: ConfinedSession,
    allowed: Allowed,
    options: SqlOptions,
    deferred: ReadonlyMap<string, View | RowsTable>,
  ) {
    this.#deferred = new Map(deferred)
    this.#session = session
    this.#allowed = allowed
    this.#options = options
  }

  static async open(sqlOptions: SqlOptions): Promise<SqlSession> {
    const { at, listFiles, scratchFolder, memoryMb, threads, spillMb } = sqlOptions
    const views = listFiles === undefined ? sessionViews(at) : fileViews(listFiles)
    const files = (listFiles ?? Object.values(at.tables).flat()).map(({ path }) => path)
    const resultFile = resultFileIn(scratchFolder)
    const deferred = listFiles === undefined ? deferredParts(at) : new Map<string, never>()
    const tables = [...deferred.values()].filter(isRowsTable)
    const options = {
      files,
      resultFile,
      tables,
      views,
      spillFolder: scratchFolder,
      memoryMb,
      threads,
      spillMb,
    }
    const session = await ConfinedSession.open(options).catch((error) => refuseSql(error, sqlOptions, ''))
    const builtIn = await session.send('SELECT lower(view_name) AS name FROM duckdb_views() WHERE internal')
    const allowed = new Set(views.map(({ name }) => name).filter((name) => !deferred.has(name)))
    const reserved = new Set(builtIn.map(({ name }) => String(name)))
    return new SqlSession(session, { tables: allowed, reserved }, sqlOptions, deferred)
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
        const { text, tree, usesCatalog } = await this.#read(written, dialect, parameterTypes)
        const { node, parameters: count } = readTree(tree, text)
        checkTree(node, dialect === undefined ? this.#allowed : withCatalog(this.#allowed))
        for (const [index, type] of parameterTypes.entries()) refuseNested(type ?? 'VARCHAR', index)
        if (parameterTypes.length > count)
          refuse(`The statement has ${count} parameters, and ${parameterTypes.length} types are given.`)
        await this.#makeParts(text)
        // Planning opens files too.
        await this.#checked(text, async () => {}, signal)
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

  /** Returns the syntax tree of a text, with the names of PostgreSQL moved to those of the session. */
  async #read(
    written: string,
    dialect: CheckOptions['dialect'],
    parameterTypes: NonNullable<CheckOptions['parameterTypes']>,
  ) {
    const text = dialect === undefined ? written : withoutSchema(written)
    const serialize = async (statement: string) => {
      const [row] = await this.#session.send('SELECT json_serialize_sql($1::VARCHAR) AS tree', [statement])
      return String(row?.tree)
    }
    const tree = await serialize(text)
    const moved = dialect === undefined ? undefined : movedNames(tree, written, parameterTypes)
    if (moved === undefined) return { text, tree, usesCatalog: false }
    if (moved.usesCatalog) await this.#openCatalog()
    const [row] = await this.#session.send('SELECT json_deserialize_sql($1::JSON) AS text', [moved.json])
    const passed = String(row?.text)
    return { text: passed, tree: await serialize(passed), usesCatalog: moved.usesCatalog }
  }

  /** Creates the catalog of PostgreSQL when a statement first reads it. */
  async #openCatalog(): Promise<void> {
    if (this.#hasCatalog) return
    await this.#session.atomically(() => createCatalog((text, values) => this.#session.send(text, values)))
    this.#hasCatalog = true
  }

  /** A SELECT of the plan of a statement that passed the gate. */
  async #plan(select: string, signal?: AbortSignal): Promise<string> {
    const rows = await this.#session.send(`EXPLAIN ${select}`, [], signal)
    const plan = rows.map(({ explain_value }) => String(explain_value)).join('\n')
    const { lake, scratchFolder } = this.#options
    return planSelect(plan.replaceAll(`${scratchFolder}/`, '').replaceAll(`${lake}/`, ''))
  }

  /** Makes the deferred parts that a statement reads. */
  async #makeParts(text: string): Promise<void> {
    for (const name of namesReadBy(text)) {
      const part = this.#deferred.get(name)
      if (part === undefined) continue
      await (isRowsTable(part) ? this.#session.fill(part) : this.#session.replace(part))
      this.#deferred.delete(name)
    }
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
    if (statement.usesCatalog === true) await this.#openCatalog()
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
    const write = () => this.#session.writeParquet(select, hasBlobs, signal, bound)
    await this.#explained(text, () => this.#checked(text, write, signal), signal)
    return resultFileIn(scratchFolder)
  }

  /** Casts the values of parameters. Errors: `malformed_request` that names the parameter, its value and its type. */
  async #bind(
    { parameters }: CheckedStatement,
    values: ParameterValues = [],
    signal?: AbortSignal,
  ): Promise<BoundValues> {
    if (values.length !== parameters.length)
      refuse(
        `The statement has ${counted(parameters.length, 'parameter')}, and ${counted(values.length, 'value')} ${values.length === 1 ? 'is' : 'are'} given.`,
      )
    const bound: BoundValues[] = []
    for (const [index, { type }] of parameters.entries()) {
      refuseNested(type, index)
      const value = values[index] ?? null
      const cast = this.#session.castText(value, type, signal).catch((cause) => {
        signal?.throwIfAborted()
        return refuse(
          `Parameter $${index + 1} is ${quoted(String(value))}; expected a value of the type ${type}.`,
          cause,
        )
      })
      bound.push(await cast)
    }
    return { values: bound.flatMap((one) => one.values), types: bound.flatMap((one) => one.types) }
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

const withCatalog = ({ tables, reserved }: Allowed): Allowed => ({
  tables: new Set([...tables, ...catalogTables]),
  reserved,
  functions: catalogFunctions,
})

/** The only statement of a script, with the blanks before it, so that places in it are places in the script. */
function oneStatement(script: string): string {
  const { ended, unended } = splitStatements(script)
  const [text = script, ...remaining] = [...ended, unended].filter((statement) => statement !== '')
  if (remaining.length > 0) return refuseMany(remaining.length + 1)
  const before = script.slice(0, script.indexOf(text))
  return before.trim() === '' ? before + text : text
}

function refuse(sentence: string, cause?: unknown): never {
  return fail('malformed_request', sentence, { cause })
}

/** Names of members of a nested type could contain SQL. */
function refuseNested(type: string, index: number): void {
  if (!isPlainType(type))
    refuse(
      `Parameter $${index + 1} has the type ${type.slice(0, 80)}; use a type without members, such as VARCHAR, and cast it in the statement.`,
    )
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Errors about the text of a statement are faults of the client, not damage. */
const isFileFault = (error: unknown) => readFault(error) instanceof ServiceError

const isRowsTable = (part: View | RowsTable): part is RowsTable => 'rows' in part

const resultFileIn = (folder: string) => join(folder, 'result.parquet')

const identity = (lines: string) => lines
