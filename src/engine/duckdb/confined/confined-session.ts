import { type DuckDBConnection, DuckDBInstance, type DuckDBResult } from '@duckdb/node-api'
import { filePattern } from '../duckdb-dialect.ts'
import { interruptOnAbort } from '../interrupt.ts'
import { name, type Sql, sql, texts } from '../sql.ts'
import { NO_FILTERS } from '../write-parquet.ts'
import { createViews, type View } from './create-views.ts'

export interface ConfinedOptions {
  /** The only files that can be read. */
  readonly files: readonly string[]
  /** The only file that can be written, by `writeParquet` alone. */
  readonly resultFile: string
  readonly views: readonly View[]
  /** Where statements spill to. */
  readonly spillFolder: string
  readonly memoryMb: number
  readonly threads: number
  /** The most that is spilled; without it the disk is the limit. */
  readonly spillMb?: number | undefined
}

/** A column of a result, with its type in the words of DuckDB. */
export interface ResultColumn {
  readonly name: string
  readonly type: string
}

/** Rows with every value as text, or null. */
export type TextRows = readonly (readonly (string | null)[])[]

/**
 * One connection to a DuckDB that can read the files given and nothing else, for statements of users. It refuses what leads
 * out of these files, but it does not tell reading from writing: whoever passes a statement has checked that it is one SELECT.
 * Errors: those of DuckDB; the reason of a signal that was aborted.
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
    const instance = await DuckDBInstance.create(':memory:', {
      threads: String(options.threads),
      memory_limit: `${options.memoryMb}MB`,
      temp_directory: options.spillFolder,
      ...(options.spillMb !== undefined && { max_temp_directory_size: `${options.spillMb}MB` }),
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
    })
    const connection = await instance.connect()
    const files = [...options.files, ...options.files.map(filePattern), options.resultFile]
    const run = (statement: Sql) => connection.run(statement.text)
    await run(sql`SET GLOBAL TimeZone = 'UTC'`)
    await run(sql`SET GLOBAL parquet_metadata_cache = true`)
    await run(sql`SET allowed_paths = ${texts([...new Set(files)])}`)
    await run(createViews(options.views))
    await run(sql`SET enable_external_access = false`)
    await run(sql`SET lock_configuration = true`)
    return new ConfinedSession(instance, connection, options.resultFile)
  }

  /** Rows of a statement of our own; values that JavaScript holds exactly. */
  async send(
    text: string,
    values: readonly string[] = [],
  ): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const reader = await this.#connection.runAndReadAll(text, [...values])
    return reader.getRowObjectsJS()
  }

  /** The columns of a statement, which is planned and not run. */
  async columnsOf(select: string, signal?: AbortSignal): Promise<readonly ResultColumn[]> {
    signal?.throwIfAborted()
    const stop = interruptOnAbort(this.#connection, signal)
    const prepared = await this.#connection.prepare(select).finally(stop)
    try {
      return Array.from({ length: prepared.columnCount }, (_, index) => ({
        name: prepared.columnName(index),
        type: String(prepared.columnType(index)),
      }))
    } finally {
      prepared.destroySync()
    }
  }

  /**
   * The rows of a SELECT of `width` texts, as they are asked for. Whoever stops early ends the statement.
   * Errors: Error when the rows end early and nothing says why.
   */
  async *textRows(select: Sql, width: number, signal?: AbortSignal): AsyncGenerator<TextRows> {
    signal?.throwIfAborted()
    const stop = interruptOnAbort(this.#connection, signal)
    const end = Array.from({ length: width }, () => sql`NULL`)
    const { text } = sql`SELECT *, false FROM (${select}) UNION ALL SELECT ${end}, true`
    try {
      const isWhole = yield* rowsUntilEnd(await this.#connection.stream(text), width)
      signal?.throwIfAborted()
      if (!isWhole) await this.#failAgain(select, width)
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      stop()
      // Another statement ends one that is still open, and frees what it holds.
      await this.#connection.run('SELECT 1').catch(() => {})
    }
  }

  /** A stream does not say why it ended early; a result that is waited for does. */
  async #failAgain(select: Sql, width: number): Promise<never> {
    const columns = Array.from({ length: width }, (_, column) => name(`c${column}`))
    const longest = columns.map((column) => sql`max(length(${column}))`)
    await this.#connection.run(sql`SELECT ${longest} FROM (${select}) AS again(${columns})`.text)
    throw new Error('the rows of a statement ended early')
  }

  /** Writes the rows of a SELECT to the result file; without Bloom filters where a column is a BLOB. */
  async writeParquet(select: Sql, hasBlobs: boolean, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const stop = interruptOnAbort(this.#connection, signal)
    try {
      const options = sql`FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false${hasBlobs ? NO_FILTERS : sql``}`
      await this.#connection.run(sql`COPY (${select}) TO ${this.#resultFile} (${options})`.text)
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      stop()
    }
  }

  close(): void {
    this.#connection.closeSync()
    this.#instance.closeSync()
  }
}

/**
 * Rows up to the one behind the last, which tells the end: a stream that fails half-way ends like one that is over. Gives
 * whether that row came.
 */
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
