import { mkdir } from 'node:fs/promises'
import type { DuckDBAppender, DuckDBConnection, DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api'
import type { Statement } from '../sql/compile.ts'
import { boundValues } from './duckdb-values.ts'
import { interruptOnAbort } from './interrupt.ts'
import { type DuckdbLimits, openDuckdb } from './open-duckdb.ts'
import { rowsOfResult, type Selected } from './rows-of-result.ts'
import { type Sql, sql } from './sql.ts'

/** The spill folder is created if missing. */
export interface SessionOptions extends DuckdbLimits {
  /** Limit of a CSV record in MB; the default is 64. */
  readonly recordMb?: number | undefined
  /** Aborts the running statement. */
  readonly signal?: AbortSignal | undefined
}

const REPORT_EVERY_MS = 200
const RECORD_MB = 64

/** A connection to a private DuckDB, with one statement at a time. Errors: those of DuckDB. */
export class Session {
  readonly spillFolder: string
  readonly longestRecord: number
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  readonly #stopInterrupting: () => void
  readonly #options: SessionOptions
  #second: Session | undefined
  #running: Promise<unknown> | undefined

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, options: SessionOptions) {
    this.spillFolder = options.spillFolder
    this.longestRecord = (options.recordMb ?? RECORD_MB) * 1024 * 1024
    this.#options = options
    this.#instance = instance
    this.#connection = connection
    this.#stopInterrupting = interruptOnAbort(connection, options.signal)
  }

  static async open(options: SessionOptions): Promise<Session> {
    await mkdir(options.spillFolder, { recursive: true })
    const instance = await openDuckdb(options)
    const session = new Session(instance, await instance.connect(), options)
    await session.run(sql`SET TimeZone = 'UTC'`)
    // The connection then tracks progress without printing it.
    await session.run(sql`SET enable_progress_bar = true`)
    await session.run(sql`SET enable_progress_bar_print = false`)
    await session.run(sql`SET progress_bar_time = 0`)
    return session
  }

  async run(query: Sql): Promise<void> {
    const running = this.#connection.run(query.text)
    this.#running = running
    await running.finally(() => {
      if (this.#running === running) this.#running = undefined
    })
  }

  /** Runs work on the connection between statements of `run`, which it would interrupt. */
  async whenIdle<T>(work: () => T): Promise<T> {
    while (this.#running !== undefined) await this.#running.catch(() => {})
    return work()
  }

  async rows(query: Statement): Promise<readonly Selected[]> {
    const { values, types } = boundValues(query.values)
    return rowsOfResult(await this.#connection.run(query.text, values, types))
  }

  /** Rows as arrays, for unnamed columns; no instants or decimals. */
  async tuples<T extends readonly unknown[]>(query: Sql): Promise<readonly T[]> {
    const reader = await this.#connection.runAndReadAll(query.text)
    return reader.getRowsJS() as unknown as readonly T[]
  }

  /** The single number of a result, below 2^53. */
  async number(query: Sql): Promise<number> {
    const [[value] = []] = await this.tuples(query)
    return Number(value)
  }

  /** Streams chunks with one read ahead; a broken stream ends without an error. */
  async *chunks(query: Sql): AsyncGenerator<DuckDBDataChunk> {
    const stream = await this.#connection.stream(query.text)
    const fetchNext = () => {
      const chunk = stream.fetchChunk()
      // The consumer awaits the error later.
      chunk.catch(() => {})
      return chunk
    }
    let next = fetchNext()
    try {
      for (let chunk = await next; chunk?.rowCount; chunk = await next) {
        next = fetchNext()
        yield chunk
      }
    } finally {
      await next.catch(() => {})
    }
  }

  /** A second connection for concurrent statements, created once and closed with this one. */
  async second(): Promise<Session> {
    this.#second ??= new Session(this.#instance, await this.#instance.connect(), this.#options)
    return this.#second
  }

  appender(table: string): Promise<DuckDBAppender> {
    return this.#connection.createAppender(table)
  }

  /** Statements on one thread take the least memory and keep the input order. */
  async onOneThread<T>(work: () => Promise<T>): Promise<T> {
    if (this.#options.threads === 1) return await work()
    return await this.#between(sql`SET threads = 1`, work, sql`SET threads = ${this.#options.threads}`)
  }

  /** Raises the engine memory to this many MB during work. */
  async withMemory<T>(memoryMb: number, work: () => Promise<T>): Promise<T> {
    if (memoryMb <= this.#options.memoryMb) return await work()
    const setTo = (mb: number) => sql`SET memory_limit = ${`${mb}MB`}`
    return await this.#between(setTo(memoryMb), work, setTo(this.#options.memoryMb))
  }

  async #between<T>(before: Sql, work: () => Promise<T>, after: Sql): Promise<T> {
    await this.run(before)
    try {
      return await work()
    } finally {
      await this.run(after)
    }
  }

  /** Reports the fraction of the input read by a statement, 0 to 1. */
  async withProgress<T>(onRead: ((part: number) => void) | undefined, work: () => Promise<T>): Promise<T> {
    const report = () => onRead?.(Math.min(Math.max(this.#connection.progress.percentage, 0), 100) / 100)
    const timer = setInterval(report, REPORT_EVERY_MS)
    try {
      return await work()
    } finally {
      clearInterval(timer)
    }
  }

  close(): void {
    this.#closeConnection()
    if (this.#second !== undefined) this.#second.#closeConnection()
    this.#instance.closeSync()
  }

  #closeConnection(): void {
    this.#stopInterrupting()
    this.#connection.closeSync()
  }
}
