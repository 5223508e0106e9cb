import { mkdir } from 'node:fs/promises'
import {
  type DuckDBAppender,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
} from '@duckdb/node-api'
import type { Statement } from '../sql/compile.ts'
import { boundValues } from './duckdb-values.ts'
import { interruptOnAbort } from './interrupt.ts'
import { rowsOfResult, type Selected } from './rows-of-result.ts'
import { type Sql, sql } from './sql.ts'

export interface SessionOptions {
  /** Where statements spill to; made when missing. */
  readonly spillFolder: string
  readonly memoryMb: number
  readonly threads: number
  /** The longest record of CSV that is read, in MB; 64 unless given. */
  readonly recordMb?: number | undefined
  /** Ends the statement under way, if any. */
  readonly signal?: AbortSignal | undefined
}

const REPORT_EVERY_MS = 200
const RECORD_MB = 64

/** One connection to a DuckDB of its own, which runs one statement after the other. Errors: those of DuckDB. */
export class Session {
  readonly spillFolder: string
  /** The longest record of CSV that is read, in bytes. */
  readonly longestRecord: number
  readonly #threads: number
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
    this.#threads = options.threads
    this.#instance = instance
    this.#connection = connection
    this.#stopInterrupting = interruptOnAbort(connection, options.signal)
  }

  static async open(options: SessionOptions): Promise<Session> {
    await mkdir(options.spillFolder, { recursive: true })
    const instance = await DuckDBInstance.create(':memory:', {
      threads: String(options.threads),
      memory_limit: `${options.memoryMb}MB`,
      temp_directory: options.spillFolder,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    })
    const session = new Session(instance, await instance.connect(), options)
    await session.run(sql`SET TimeZone = 'UTC'`)
    // The connection then knows how far a statement has come, and prints nothing.
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

  /** Does what needs the connection at once, when no statement of `run` is under way on it: it would be broken off. */
  async whenIdle<T>(work: () => T): Promise<T> {
    while (this.#running !== undefined) await this.#running.catch(() => {})
    return work()
  }

  /** Rows by the names of their columns, with exact values. */
  async rows(query: Statement): Promise<readonly Selected[]> {
    const { values, types } = boundValues(query.values)
    return rowsOfResult(await this.#connection.run(query.text, values, types))
  }

  /** Rows as arrays, for columns without a name; no instants and no decimals. */
  async tuples<T extends readonly unknown[]>(query: Sql): Promise<readonly T[]> {
    const reader = await this.#connection.runAndReadAll(query.text)
    return reader.getRowsJS() as unknown as readonly T[]
  }

  /** Columns as arrays, as exact as `tuples`. */
  async columns<T extends readonly (readonly unknown[])[]>(query: Sql): Promise<Partial<T>> {
    const reader = await this.#connection.runAndReadAll(query.text)
    return reader.getColumnsJS() as unknown as Partial<T>
  }

  /** The only value of the only row, a number below 2^53. */
  async number(query: Sql): Promise<number> {
    const [[value] = []] = await this.tuples(query)
    return Number(value)
  }

  /** The chunks of a result, the next one fetched while one is used; a stream that breaks ends without an error. */
  async *chunks(query: Sql): AsyncGenerator<DuckDBDataChunk> {
    const stream = await this.#connection.stream(query.text)
    const fetchNext = () => {
      const chunk = stream.fetchChunk()
      // What went wrong is thrown once it is waited for.
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

  /** One more connection, for statements beside those of this one; always the same, and closed with this one. */
  async second(): Promise<Session> {
    this.#second ??= new Session(this.#instance, await this.#instance.connect(), this.#options)
    return this.#second
  }

  appender(table: string): Promise<DuckDBAppender> {
    return this.#connection.createAppender(table)
  }

  /** Statements that run on one thread take the least memory, and keep the order of what they read. */
  async onOneThread<T>(work: () => Promise<T>): Promise<T> {
    if (this.#threads === 1) return await work()
    await this.run(sql`SET threads = 1`)
    try {
      return await work()
    } finally {
      await this.run(sql`SET threads = ${this.#threads}`)
    }
  }

  /** Gives the engine at least so many MB while it works. */
  async withMemory<T>(memoryMb: number, work: () => Promise<T>): Promise<T> {
    if (memoryMb <= this.#options.memoryMb) return await work()
    await this.run(sql`SET memory_limit = ${`${memoryMb}MB`}`)
    try {
      return await work()
    } finally {
      await this.run(sql`SET memory_limit = ${`${this.#options.memoryMb}MB`}`)
    }
  }

  /** Reports, while a statement runs, which part of its input it has read, 0 to 1. */
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
