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
 * Runs SELECTs of users over one snapshot in a process of their own, one at a time. After a statement that ended the process the
 * next one has another. Errors: `malformed_request` in the words of DuckDB, or of too much memory; `lake_damaged`; `internal` when
 * the process fails; the reason of a signal that was aborted.
 */
export class StatementRunner {
  readonly #options: StatementRunnerOptions
  #process: SqlProcess | undefined
  #isOpen = false

  constructor(options: StatementRunnerOptions) {
    this.#options = options
  }

  /** Checks one statement, and plans it. */
  async check(statement: string, signal?: AbortSignal): Promise<CheckedStatement> {
    const process = await this.#opened(signal)
    return (await process.send('check', statement, signal)) as CheckedStatement
  }

  /** Checks a statement and gives its first rows. */
  async firstRows(request: FirstRowsRequest, signal?: AbortSignal): Promise<FirstRows> {
    const process = await this.#opened(signal)
    return (await process.send('firstRows', request, signal)) as FirstRows
  }

  /** The rows of a statement that was checked as text, as they are asked for. */
  rows(statement: CheckedStatement, signal?: AbortSignal): AsyncGenerator<TextRows> {
    return this.#rows<TextRows>({ statement, form: 'texts' }, signal)
  }

  /** The rows as lines of a format, some at a time, as they are asked for; the head of CSV first. */
  lines(
    statement: CheckedStatement,
    form: Exclude<RowsForm, 'texts'>,
    signal?: AbortSignal,
  ): AsyncGenerator<string> {
    return this.#rows<string>({ statement, form }, signal)
  }

  /** Writes the rows to a Parquet file in the scratch folder, and gives its path. */
  async parquet(statement: CheckedStatement, signal?: AbortSignal): Promise<string> {
    const process = await this.#opened(signal)
    return (await process.send('parquet', { statement }, signal)) as string
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
