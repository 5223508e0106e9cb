import { setTimeout } from 'node:timers/promises'
import type { DuckDBInstance, DuckDBMaterializedResult } from '@duckdb/node-api'
import { ServiceError, sentenceOf } from '../../errors.ts'
import type { Statement } from '../sql/compile.ts'
import { boundValues } from './duckdb-values.ts'
import { readFault, unlessPassing } from './failures.ts'
import { interruptOnAbort } from './interrupt.ts'
import { streamSelect } from './only-select.ts'
import { type PooledConnection, PooledInstance } from './pooled-instance.ts'
import { rowsOfResult, type Selected } from './rows-of-result.ts'
import { rowsUntilEnd, withEnd } from './stream-rows.ts'

const OPEN_AGAIN_MS = 250
const TELL_AGAIN_MS = 60_000
/** A DuckDB that is busy answers such a statement in milliseconds. */
const LONGEST_PING_MS = 4000

export interface PoolOptions {
  /** Opens a DuckDB; called again where one has failed for good. */
  readonly open: () => Promise<DuckDBInstance>
  readonly connections: number
  /** Is told that one has failed, why another one could not be opened, and what the system refuses for a while. */
  readonly report?: ((sentence: string) => void) | undefined
  readonly longestPingMs?: number
}

/**
 * A fixed number of connections to one DuckDB, each running one statement at a time. After an error that DuckDB calls fatal it
 * answers nothing any more; then another one takes its place, and until it is open statements fail with `not_ready`.
 */
export class ConnectionPool {
  readonly #options: PoolOptions
  #current: PooledInstance
  #opening: Promise<void> | undefined
  #renewal: Promise<void> | undefined
  #retiring: PooledInstance | undefined
  #isClosed = false
  #toldAt = Number.NEGATIVE_INFINITY
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

  /** Rejects where no statement is answered now, as where none was for too long: such a DuckDB is replaced too. */
  async ping(): Promise<void> {
    const own = this.#current
    await own.ping(this.#options.longestPingMs ?? LONGEST_PING_MS).catch((error) => {
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
    const running = runOn(own, pooled, statement, signal).finally(() => own.give(pooled))
    try {
      const result = await own.unlessEnded(running)
      own.throwIfEnded()
      this.#statements += 1
      this.#rows += result.rowCount
      return result
    } catch (error) {
      throw this.#faultOf(own, error, signal)
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
    let step: Promise<unknown> = Promise.resolve()
    const take = <T>(next: Promise<T>): Promise<T> => {
      step = next
      return own.unlessEnded(next)
    }
    const giveBack = async () => {
      await step.catch(() => {})
      stop()
      // Another statement ends one that is still open, and frees what it holds.
      await connection.run('SELECT 1').catch(() => {})
      own.giveOwn(connection)
    }
    try {
      signal?.throwIfAborted()
      const { text, values } = withEnd(statement)
      const bound = boundValues(values)
      this.#statements += 1
      const batches = rowsUntilEnd(await take(streamSelect(connection, text, bound)))
      for (;;) {
        const { done, value: rows } = await take(batches.next())
        signal?.throwIfAborted()
        own.throwIfEnded()
        if (done === true) return
        this.#rows += rows.length
        yield rows
      }
    } catch (error) {
      throw this.#faultOf(own, error, signal)
    } finally {
      // What hangs in an instance that was ended is given back once it does not.
      await own.unlessEnded(giveBack()).catch(() => {})
    }
  }

  /**
   * Puts another DuckDB in the place of this one, which ends with its last statement: a DuckDB keeps what it has read of files
   * that are long gone. Where none can be opened, all stays as it is.
   */
  async renew(): Promise<void> {
    if (this.#opening !== undefined || this.#isClosed) return
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined
    })
    await this.#renewal
  }

  async #renew(): Promise<void> {
    const { open, connections, report } = this.#options
    const old = this.#current
    try {
      const next = await PooledInstance.open(await open(), connections)
      const isLate = this.#isClosed || this.#current !== old
      this.#retiring = isLate ? next : old
      if (!isLate) this.#current = next
      await this.#retiring.retire(isClosed())
    } catch (error) {
      report?.(`DuckDB cannot be opened anew: ${sentenceOf(error)}`)
    } finally {
      this.#retiring = undefined
    }
  }

  /** Ends what runs, and closes all. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#current.end(isClosed()), this.#retiring?.end(isClosed())])
    await Promise.all([this.#opening, this.#renewal])
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
    const fault = readFault(error)
    const passing = unlessPassing(fault)
    if (passing !== fault) this.#tellPassing(error)
    return passing
  }

  /** Each request would meet the same. */
  #tellPassing(error: unknown): void {
    if (performance.now() - this.#toldAt < TELL_AGAIN_MS) return
    this.#toldAt = performance.now()
    this.#options.report?.(`Data files cannot be read now: ${sentenceOf(error)}`)
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
    let told = ''
    while (!this.#isClosed) {
      try {
        const next = await PooledInstance.open(await open(), connections)
        if (this.#isClosed) await next.end(isClosed())
        else this.#current = next
        return
      } catch (error) {
        const sentence = `DuckDB cannot be opened: ${sentenceOf(error)}`
        if (sentence !== told) report?.(sentence)
        told = sentence
        await setTimeout(OPEN_AGAIN_MS)
      }
    }
  }
}

async function runOn(
  own: PooledInstance,
  pooled: PooledConnection,
  statement: Statement,
  signal: AbortSignal | undefined,
): Promise<DuckDBMaterializedResult> {
  const stop = interruptOnAbort(pooled.connection, signal)
  try {
    signal?.throwIfAborted()
    return await (await own.bind(pooled, statement)).run()
  } finally {
    stop()
  }
}

function isClosed(): Error {
  return new Error('the engine is closed')
}

function isFatal(sentence: string): boolean {
  return /^FATAL Error|database has been invalidated/.test(sentence)
}
