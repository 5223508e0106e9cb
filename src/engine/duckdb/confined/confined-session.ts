import {
  type DuckDBConnection,
  type DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from '@duckdb/node-api'
import { filePattern } from '../duckdb-dialect.ts'
import { interruptOnAbort } from '../interrupt.ts'
import { type DuckdbLimits, openDuckdb } from '../open-duckdb.ts'
import { isPlainType, name, plainType, type Sql, sql, textList } from '../sql.ts'
import { NO_FILTERS } from '../write-parquet.ts'
import { appendRows, createRowsTable, type RowsTable } from './rows-table.ts'
import { readStatementError } from './statement-error.ts'
import { createViews, type View } from './views.ts'

export interface ConfinedOptions extends DuckdbLimits {
  readonly files: readonly string[]
  /** The only writable file; `writeParquet` writes it. */
  readonly resultFile: string
  /** Tables that the views read; `fill` appends their rows. */
  readonly tables?: readonly RowsTable[]
  readonly views: readonly View[]
}

/** Result column with its DuckDB type. */
export interface ResultColumn {
  readonly name: string
  readonly type: string
}

/** Columns of a statement, and the types of its parameters. */
export interface Signature {
  readonly columns: readonly ResultColumn[]
  readonly parameters: readonly string[]
}

/** Values of parameters with their types, as DuckDB has cast them. */
export interface BoundValues {
  readonly values: readonly DuckDBValue[]
  readonly types: readonly DuckDBType[]
}

const NO_VALUES: BoundValues = { values: [], types: [] }

/** Type of a parameter that DuckDB does not infer. */
const UNKNOWN_TYPE = 'VARCHAR'

export type TextRows = readonly (readonly (string | null)[])[]

/**
 * A DuckDB connection for statements of users that can read only the given files. It does not distinguish reads from
 * writes: check that a statement is one SELECT first.
 * Errors: those of DuckDB; the reason of the signal.
 */
export class ConfinedSession {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  readonly #resultFile: string

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, resultFile: string) {
    this.#instance = instance
    this.#connection = connection
    this.#resultFile = resultFile
  }

  static async open(options: ConfinedOptions): Promise<ConfinedSession> {
    const instance = await openDuckdb({ ...options, isGivingBack: true })
    const connection = await instance.connect()
    const files = [...options.files, ...options.files.map(filePattern), options.resultFile]
    const run = (statement: Sql) => connection.run(statement.text)
    await run(sql`SET GLOBAL TimeZone = 'UTC'`)
    await run(sql`SET GLOBAL parquet_metadata_cache = true`)
    await run(sql`SET allowed_paths = ${textList([...new Set(files)])}`)
    for (const table of options.tables ?? []) await createRowsTable(connection, table)
    await run(createViews(options.views))
    await run(sql`SET errors_as_json = true`)
    await run(sql`SET enable_external_access = false`)
    await run(sql`SET lock_configuration = true`)
    return new ConfinedSession(instance, connection, options.resultFile)
  }

  /** Appends the rows of a table, all or none: rows that are in twice would be counted twice. */
  fill(table: RowsTable): Promise<void> {
    return this.atomically(() => appendRows(this.#connection, table, 'memory'))
  }

  /** Runs trusted statements in a transaction. Errors: those of the work, which is undone then. */
  async atomically(work: () => Promise<void>): Promise<void> {
    await this.#connection.run('BEGIN')
    try {
      await work()
      await this.#connection.run('COMMIT')
    } catch (error) {
      await this.#connection.run('ROLLBACK').catch(() => {})
      throw error
    }
  }

  /** Replaces a view by one with the same columns. */
  async replace(view: View): Promise<void> {
    await this.#connection.run(createViews([view]).text)
  }

  /** Stores the rows of a view in a table, which the view reads afterwards. */
  store(view: string, signal?: AbortSignal): Promise<void> {
    const stored = name(`${view}_rows`)
    return this.atomically(async () => {
      await this.send(sql`CREATE TABLE ${stored} AS FROM ${name(view)}`.text, [], signal)
      await this.#connection.run(sql`CREATE OR REPLACE VIEW ${name(view)} AS FROM ${stored}`.text)
    })
  }

  /** Rows of a trusted statement, with exact values. */
  async send(
    text: string,
    values: readonly string[] = [],
    signal?: AbortSignal,
  ): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const run = () => this.#connection.runAndReadAll(text, [...values])
    return (await this.#interruptibly(text, run, signal)).getRowObjectsJS()
  }

  /**
   * Plans a statement. Parameters have the given types, else those that DuckDB infers; `empty` is the statement without
   * rows.
   */
  async describe(
    select: string,
    empty: Sql,
    given: readonly (string | undefined)[],
    signal?: AbortSignal,
  ): Promise<Signature> {
    const prepared = await this.#interruptibly(select, () => this.#connection.prepare(select), signal)
    try {
      const { parameterCount } = prepared
      if (parameterCount === 0) return { columns: columnsOf(prepared), parameters: [] }
      const parameters = Array.from(
        { length: parameterCount },
        (_, index) => given[index] ?? typeOfParameter(prepared, index + 1),
      )
      return { columns: await this.#columnsWith(empty, parameters, signal), parameters }
    } finally {
      prepared.destroySync()
    }
  }

  /** DuckDB infers the columns from the types of values, and null has none. */
  async #columnsWith(
    empty: Sql,
    parameters: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly ResultColumn[]> {
    const bound = await this.#cast(parameters.map(someValue), signal)
    const run = () => this.#connection.run(empty.text, [...bound.values], [...bound.types])
    const result = await this.#interruptibly(empty.text, run, signal)
    return result.columnNames().map((name, index) => ({ name, type: String(result.columnType(index)) }))
  }

  /** Casts a text to a trusted type, exactly. Errors: those of DuckDB if the text is no such value. */
  async castText(text: string | null, type: string, signal?: AbortSignal): Promise<BoundValues> {
    return await this.#cast([text === null ? castOf(sql`NULL`, type) : castOf(sql`${text}`, type)], signal)
  }

  async #cast(casts: readonly Sql[], signal?: AbortSignal): Promise<BoundValues> {
    const { text } = sql`SELECT ${casts}`
    const result = await this.#interruptibly(text, () => this.#connection.run(text), signal)
    const chunk = await result.fetchChunk()
    return {
      values: casts.map((_, index) => chunk?.getColumnValues(index)[0] ?? null),
      types: result.columnTypes(),
    }
  }

  /**
   * Streams a SELECT of `width` texts. An early return ends the statement.
   * Errors: Error if the rows end early for an unknown reason.
   */
  async *textRows(
    select: Sql,
    width: number,
    signal?: AbortSignal,
    { values, types } = NO_VALUES,
  ): AsyncGenerator<TextRows> {
    signal?.throwIfAborted()
    const stop = interruptOnAbort(this.#connection, signal)
    const end = Array.from({ length: width }, () => sql`NULL`)
    const { text } = sql`SELECT *, false FROM (${select}) UNION ALL SELECT ${end}, true`
    try {
      const isWhole = yield* rowsUntilEnd(await this.#connection.stream(text, [...values], [...types]), width)
      signal?.throwIfAborted()
      if (!isWhole) await this.#failAgain(select, width, { values, types })
    } catch (error) {
      signal?.throwIfAborted()
      throw readStatementError(error, text)
    } finally {
      stop()
      // Another statement ends one that is still open, and frees what it holds.
      await this.#connection.run('SELECT 1').catch(() => {})
    }
  }

  /** A stream hides why it ended early; a buffered result throws. */
  async #failAgain(select: Sql, width: number, { values, types }: BoundValues): Promise<never> {
    const columns = Array.from({ length: width }, (_, column) => name(`c${column}`))
    const longest = columns.map((column) => sql`max(length(${column}))`)
    const { text } = sql`SELECT ${longest} FROM (${select}) AS again(${columns})`
    await this.#interruptibly(text, () => this.#connection.run(text, [...values], [...types]), undefined)
    throw new Error('the rows of a statement ended early')
  }

  /** Writes a SELECT to the result file; without Bloom filters for BLOBs. */
  async writeParquet(
    select: Sql,
    hasBlobs: boolean,
    signal?: AbortSignal,
    { values, types } = NO_VALUES,
  ): Promise<void> {
    const options = sql`FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false${hasBlobs ? NO_FILTERS : sql``}`
    const { text } = sql`COPY (${select}) TO ${this.#resultFile} (${options})`
    await this.#interruptibly(text, () => this.#connection.run(text, [...values], [...types]), signal)
  }

  async #interruptibly<T>(text: string, work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    signal?.throwIfAborted()
    const stop = interruptOnAbort(this.#connection, signal)
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      throw readStatementError(error, text)
    } finally {
      stop()
    }
  }

  close(): void {
    this.#connection.closeSync()
    this.#instance.closeSync()
  }
}

function columnsOf(prepared: DuckDBPreparedStatement): readonly ResultColumn[] {
  return Array.from({ length: prepared.columnCount }, (_, index) => ({
    name: prepared.columnName(index),
    type: String(prepared.columnType(index)),
  }))
}

function typeOfParameter(prepared: DuckDBPreparedStatement, number: number): string {
  const id = prepared.parameterTypeId(number)
  const isInferred = id !== DuckDBTypeId.INVALID && id !== DuckDBTypeId.SQLNULL
  return isInferred ? String(prepared.parameterType(number)) : UNKNOWN_TYPE
}

const castOf = (value: Sql, type: string) => sql`CAST(${value} AS ${plainType(type)})`

/** A value of a type, whichever fits; null for types with names of members, which may hold any text. */
function someValue(type: string): Sql {
  if (!isPlainType(type)) return sql`NULL`
  const texts = ['0', '2000-01-01', '00:00:00', '00000000-0000-0000-0000-000000000000', '[]']
  return sql`coalesce(${texts.map((text) => sql`TRY_${castOf(sql`${text}`, type)}`)})`
}

/** Yields rows up to the end marker, since a failed stream looks complete. Returns true if the marker came. */
async function* rowsUntilEnd(result: DuckDBResult, width: number): AsyncGenerator<TextRows, boolean> {
  for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
    const { rowCount } = chunk
    const columns = Array.from({ length: width }, (_, column) => chunk?.getColumnValues(column) ?? [])
    const isEnd = chunk.getColumnValues(width).includes(true)
    const rows = Array.from({ length: rowCount - (isEnd ? 1 : 0) }, (_, row) =>
      columns.map((values) => values[row] as string | null),
    )
    if (rows.length > 0) yield rows
    if (isEnd) return true
  }
  return false
}
