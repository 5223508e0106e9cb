import type { FirstRows } from '../first-rows.ts'
import type { CheckedStatement, TextRows } from '../sql-session.ts'
import type { FirstRowsRequest, OpenRequest, RowsForm, RowsRequest } from './requests.ts'
import type { SqlProcess } from './sql-process.ts'
import type { SqlProcesses } from './sql-processes.ts'

export interface StatementRunnerOptions {
  readonly processes: SqlProcesses
  readonly request: OpenRequest
  /** Removes the scratch folder. */
  readonly close: () => Promise<void>
}

/**
 * Runs SELECTs of users over a snapshot in a separate process, one at a time. A new process replaces one that ended.
 * Errors: `malformed_request` with the message of DuckDB, or above the memory limit; `lake_damaged`; `internal` if
 * the process fails; the reason of the signal.
 */
export class StatementRunner {
  readonly #options: StatementRunnerOptions
  #process: SqlProcess | undefined
  #isOpen = false

  constructor(options: StatementRunnerOptions) {
    this.#options = options
  }

  async check(statement: string, signal?: AbortSignal): Promise<CheckedStatement> {
    const process = await this.#opened(signal)
    return await process.send('check', statement, signal)
  }

  async firstRows(request: FirstRowsRequest, signal?: AbortSignal): Promise<FirstRows> {
    const process = await this.#opened(signal)
    return await process.send('firstRows', request, signal)
  }

  /** Streams the rows of a checked statement as text. */
  rows(statement: CheckedStatement, signal?: AbortSignal): AsyncGenerator<TextRows> {
    return this.#rows<TextRows>({ statement, form: 'texts' }, signal)
  }

  /** Streams the rows as lines of a format, after the header for CSV. */
  lines(
    statement: CheckedStatement,
    form: Exclude<RowsForm, 'texts'>,
    signal?: AbortSignal,
  ): AsyncGenerator<string> {
    return this.#rows<string>({ statement, form }, signal)
  }

  /** Writes the rows to a Parquet file in the scratch folder and returns its path. */
  async parquet(statement: CheckedStatement, signal?: AbortSignal): Promise<string> {
    const process = await this.#opened(signal)
    return await process.send('parquet', { statement }, signal)
  }

  async close(): Promise<void> {
    const process = this.#process
    this.#process = undefined
    await process?.close()
    if (process !== undefined) this.#options.processes.putBack(process)
    await this.#options.close()
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
    if (last?.isRunning === true && this.#isOpen) return last
    this.#isOpen = false
    if (last?.isRunning === false) processes.putBack(last)
    const process = last?.isRunning === true ? last : processes.take()
    this.#process = process
    await process.send('open', request, signal)
    this.#isOpen = true
    return process
  }
}
