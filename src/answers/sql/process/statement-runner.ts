import { rm } from 'node:fs/promises'
import type { FirstRows, FirstRowsRequest } from '../first-rows.ts'
import type { CheckedStatement, CheckOptions, LinesForm, ParameterValues, TextRows } from '../sql-session.ts'
import type { RowsRequest } from './requests.ts'
import type { SessionRequest, SqlProcess } from './sql-process.ts'
import type { SqlProcesses } from './sql-processes.ts'

export interface StatementRunnerOptions {
  readonly processes: SqlProcesses
  readonly request: SessionRequest
  /** Ends the turn of this runner, so that another statement may run. */
  readonly endTurn: () => void
}

/**
 * Runs SELECTs of users over a snapshot in a separate process, one at a time. A new process replaces one that ended.
 * Close it soon: it keeps a process from other clients. Opening another one over the same snapshot costs little.
 *
 * Values of parameters are texts, and come last: DuckDB casts each to the type of its parameter, so no digit is lost.
 * Errors: `malformed_request` with the message of DuckDB and `position`, its place in the statement, or above the
 * memory limit; `lake_damaged`; `internal` if the process fails; the reason of the signal.
 */
export class StatementRunner {
  readonly #options: StatementRunnerOptions
  #process: SqlProcess | undefined
  #resultFile: string | undefined

  constructor(options: StatementRunnerOptions) {
    this.#options = options
  }

  /**
   * Checks and plans a statement without running it, and returns its columns and parameters. `parameterTypes` are
   * types of DuckDB; it infers those that are not given.
   */
  async check(
    statement: string,
    options: CheckOptions = {},
    signal?: AbortSignal,
  ): Promise<CheckedStatement> {
    const process = await this.#opened(signal)
    return await process.send('check', { statement, ...options }, signal)
  }

  /** Checks a statement and reads its first rows. */
  async firstRows(request: FirstRowsRequest, signal?: AbortSignal): Promise<FirstRows> {
    const process = await this.#opened(signal)
    return await process.send('firstRows', request, signal)
  }

  /** Streams the rows of a checked statement as text. */
  rows(
    statement: CheckedStatement,
    signal?: AbortSignal,
    values?: ParameterValues,
  ): AsyncGenerator<TextRows> {
    return this.#rows<TextRows>({ statement, form: 'texts', values }, signal)
  }

  /** Streams the rows as lines of a format, after the header for CSV, in pieces of a million characters. */
  lines(
    statement: CheckedStatement,
    form: LinesForm,
    signal?: AbortSignal,
    values?: ParameterValues,
  ): AsyncGenerator<string> {
    return this.#rows<string>({ statement, form, values }, signal)
  }

  /** Streams the rows as an Arrow IPC stream. */
  async *arrow(
    statement: CheckedStatement,
    signal?: AbortSignal,
    values?: ParameterValues,
  ): AsyncGenerator<Uint8Array> {
    for await (const piece of this.#rows<string>({ statement, form: 'arrow', values }, signal))
      yield Buffer.from(piece, 'base64')
  }

  /** Writes the rows to a Parquet file, which is removed by `close`, and returns its path. */
  async parquet(
    statement: CheckedStatement,
    signal?: AbortSignal,
    values?: ParameterValues,
  ): Promise<string> {
    const process = await this.#opened(signal)
    this.#resultFile = await process.send('parquet', { statement, form: 'texts', values }, signal)
    return this.#resultFile
  }

  async close(): Promise<void> {
    const process = this.#process
    this.#process = undefined
    if (this.#resultFile !== undefined) await rm(this.#resultFile, { force: true })
    if (process !== undefined) await this.#options.processes.putBack(process)
    this.#options.endTurn()
  }

  async *#rows<T>(request: RowsRequest, signal?: AbortSignal): AsyncGenerator<T> {
    const process = await this.#opened(signal)
    await process.send('rows', request, signal)
    let isEnd = false
    try {
      while (!isEnd) {
        const next = (await process.send('next', undefined, signal)) as { rows: T } | { isEnd: true }
        if ('rows' in next) yield next.rows
        else isEnd = true
      }
    } finally {
      if (!isEnd && process.isRunning) await process.stop()
    }
  }

  async #opened(signal?: AbortSignal): Promise<SqlProcess> {
    const { processes, request } = this.#options
    const last = this.#process
    if (last?.isRunning === false) await processes.putBack(last)
    const process = last?.isRunning === true ? last : await processes.take(request.key)
    this.#process = process
    await process.open(request, signal)
    return process
  }
}
