import { setTimeout } from 'node:timers/promises'
import type { DuckDBInstance, DuckDBMaterializedResult } from '@duckdb/node-api'
import { ServiceError, sentenceOf } from '../../errors.ts'
import type { Statement } from '../sql/compile.ts'
import { boundValues } from './duckdb-values.ts'
import { readFault } from './failures.ts'
import { interruptOnAbort } from './interrupt.ts'
import { streamSelect } from './only-select.ts'
import { PooledInstance } from './pooled-instance.ts'
import { rowsOfResult, type Selected } from './rows-of-result.ts'
import { rowsUntilEnd, withEnd } from './stream-rows.ts'

const OPEN_AGAIN_MS = 250

export interface PoolOptions {
  /** Opens a DuckDB; called again where one has failed for good. */
  readonly open: () => Promise<DuckDBInstance>
  readonly connections: number
  /** Is told that one has failed, and why another one could not be opened. */
  readonly report?: ((sentence: string) => void) | undefined
}

/**
 * A fixed number of connections to one DuckDB, each running one statement at a time. After an error that DuckDB calls fatal it
 * answers nothing any more; then another one takes its place, and until it is open statements fail with `not_ready`.
 */
export class ConnectionPool {
  readonly #options: PoolOptions
  #current: PooledInstance
  #opening: Promise<void> | undefined
  #isClosed = false
  #statements = 0
  #rows = 0

  private constructor(options: PoolOptions, first: PooledInstance) {
    this.#options = options
    this.#current = first
  }

  static async open(options: PoolOptions): Promise<ConnectionPool> {
    return new ConnectionPool(options, await PooledInstance.open(await options.open(), options.connections))
  }

  /** What runs, waits and was done. */
  load(): { statements: number; rows: number; running: number; waiting: number } {
    return { statements: this.#statements, rows: this.#rows, ...this.#current.load() }
  }

  /** Whether a failed DuckDB is being replaced. */
  isOpening(): boolean {
    return this.#opening !== undefined
  }

  /** Rejects where no statement is answered now. */
  async ping(): Promise<void> {
    const own = this.#current
    await own.ping().catch((error) => {
      this.#replace(own, error)
      throw error
    })
  }

  /** Runs one statement to its end, and gives its result as a whole. */
  async run(statement: Statement, signal?: AbortSignal): Promise<readonly Selected[]> {
    return rowsOfResult(await this.result(statement, signal))
  }

  /** The same, not decoded yet. An aborted signal ends the waiting for a connection, and the statement. */
  async result(statement: Statement, signal?: AbortSignal): Promise<DuckDBMaterializedResult> {
    signal?.throwIfAborted()
    const own = this.#current
    const pooled = await own.take(signal)
    const stop = interruptOnAbort(pooled.connection, signal)
    try {
      signal?.throwIfAborted()
      const prepared = await own.bind(pooled, statement)
      const result = await prepared.run()
      own.throwIfEnded()
      this.#statements += 1
      this.#rows += result.rowCount
      return result
    } catch (error) {
      throw this.#faultOf(own, error, signal)
    } finally {
      stop()
      own.give(pooled)
    }
  }

  /**
   * Runs one statement and gives its rows as they are asked for. Whoever asks may be slow, so it has a connection of its own,
   * which ends with it.
   */
  async *stream(statement: Statement, signal?: AbortSignal): AsyncGenerator<readonly Selected[]> {
    signal?.throwIfAborted()
    const own = this.#current
    const connection = await own.takeOwn()
    const stop = interruptOnAbort(connection, signal)
    try {
      signal?.throwIfAborted()
      const { text, values } = withEnd(statement)
      const bound = boundValues(values)
      this.#statements += 1
      for await (const rows of rowsUntilEnd(await streamSelect(connection, text, bound))) {
        signal?.throwIfAborted()
        own.throwIfEnded()
        this.#rows += rows.length
        yield rows
      }
      signal?.throwIfAborted()
    } catch (error) {
      throw this.#faultOf(own, error, signal)
    } finally {
      stop()
      // Another statement ends one that is still open, and frees what it holds.
      await connection.run('SELECT 1').catch(() => {})
      own.giveOwn(connection)
    }
  }

  /** Ends what runs, and closes all. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#current.end(new Error('the engine is closed'))
    await this.#opening
  }

  /** What whoever waits for the statement is told. An instance that has failed is replaced. */
  #faultOf(own: PooledInstance, error: unknown, signal: AbortSignal | undefined): unknown {
    const sentence = sentenceOf(error)
    if (isFatal(sentence)) this.#replace(own, error)
    // Not all of these are the end of the instance, and a ping tells.
    else if (sentence.startsWith('INTERNAL Error')) void this.ping().catch(() => {})
    if (signal?.aborted) return signal.reason
    try {
      own.throwIfEnded()
    } catch (end) {
      return end
    }
    return readFault(error)
  }

  #replace(own: PooledInstance, cause: unknown): void {
    if (own !== this.#current || this.#opening !== undefined || this.#isClosed) return
    this.#options.report?.(`DuckDB has failed and is opened anew: ${sentenceOf(cause)}`)
    const why = 'The engine has failed and is being opened anew; ask again in a moment.'
    void own.end(new ServiceError('not_ready', why, { cause }))
    this.#opening = this.#openAnother().finally(() => {
      this.#opening = undefined
    })
  }

  async #openAnother(): Promise<void> {
    const { open, connections, report } = this.#options
    while (!this.#isClosed) {
      try {
        const next = await PooledInstance.open(await open(), connections)
        if (this.#isClosed) await next.end(new Error('the engine is closed'))
        else this.#current = next
        return
      } catch (error) {
        report?.(`DuckDB cannot be opened: ${sentenceOf(error)}`)
        await setTimeout(OPEN_AGAIN_MS)
      }
    }
  }
}

function isFatal(sentence: string): boolean {
  return /^FATAL Error|database has been invalidated/.test(sentence)
}
