import type { DuckDBConnection, DuckDBInstance, DuckDBResult } from '@duckdb/node-api'
import { filePattern } from '../duckdb-dialect.ts'
import { interruptOnAbort } from '../interrupt.ts'
import { type DuckdbLimits, openDuckdb } from '../open-duckdb.ts'
import { name, type Sql, sql, textList } from '../sql.ts'
import { NO_FILTERS } from '../write-parquet.ts'
import { createViews, type View } from './views.ts'

export interface ConfinedOptions extends DuckdbLimits {
  readonly files: readonly string[]
  /** The only writable file; `writeParquet` writes it. */
  readonly resultFile: string
  readonly views: readonly View[]
}

/** Result column with its DuckDB type. */
export interface ResultColumn {
  readonly name: string
  readonly type: string
}

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
    const instance = await openDuckdb(options)
    const connection = await instance.connect()
    const files = [...options.files, ...options.files.map(filePattern), options.resultFile]
    const run = (statement: Sql) => connection.run(statement.text)
    await run(sql`SET GLOBAL TimeZone = 'UTC'`)
    await run(sql`SET GLOBAL parquet_metadata_cache = true`)
    await run(sql`SET allowed_paths = ${textList([...new Set(files)])}`)
    await run(createViews(options.views))
    await run(sql`SET enable_external_access = false`)
    await run(sql`SET lock_configuration = true`)
    return new ConfinedSession(instance, connection, options.resultFile)
  }

  /** Rows of a trusted statement, with exact values. */
  async send(
    text: string,
    values: readonly string[] = [],
  ): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const reader = await this.#connection.runAndReadAll(text, [...values])
    return reader.getRowObjectsJS()
  }

  /** Plans a statement and returns its columns. */
  async columnsOf(select: string, signal?: AbortSignal): Promise<readonly ResultColumn[]> {
    const prepared = await this.#interruptibly(() => this.#connection.prepare(select), signal)
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
   * Streams a SELECT of `width` texts. An early return ends the statement.
   * Errors: Error if the rows end early for an unknown reason.
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

  /** A stream hides why it ended early; a buffered result throws. */
  async #failAgain(select: Sql, width: number): Promise<never> {
    const columns = Array.from({ length: width }, (_, column) => name(`c${column}`))
    const longest = columns.map((column) => sql`max(length(${column}))`)
    await this.#connection.run(sql`SELECT ${longest} FROM (${select}) AS again(${columns})`.text)
    throw new Error('the rows of a statement ended early')
  }

  /** Writes a SELECT to the result file; without Bloom filters for BLOBs. */
  async writeParquet(select: Sql, hasBlobs: boolean, signal?: AbortSignal): Promise<void> {
    const options = sql`FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false${hasBlobs ? NO_FILTERS : sql``}`
    const copy = sql`COPY (${select}) TO ${this.#resultFile} (${options})`
    await this.#interruptibly(() => this.#connection.run(copy.text), signal)
  }

  async #interruptibly<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    signal?.throwIfAborted()
    const stop = interruptOnAbort(this.#connection, signal)
    try {
      return await work()
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
