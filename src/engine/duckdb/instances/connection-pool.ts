import type { DuckDBMaterializedResult } from '@duckdb/node-api'
import { sentenceOf } from '../../../base/errors.ts'
import { isSliceOver, nextSlice } from '../../../base/slices.ts'
import type { Statement } from '../../sql/compile.ts'
import { readFault, unlessPassing } from '../failures.ts'
import { rowsOfChunk, type Selected, type StreamedChunk } from '../rows-of-result.ts'
import type { PooledInstance } from './pooled-instance.ts'
import { type InstanceOptions, ReplaceableInstance } from './replaceable-instance.ts'
import { streamChunks } from './stream-rows.ts'

const TELL_AGAIN_MS = 60_000
/** A busy DuckDB answers such a statement in milliseconds. */
const LONGEST_PING_MS = 4000

export interface PoolOptions extends InstanceOptions {
  readonly longestPingMs?: number
}

/**
 * A pool of connections to one DuckDB, each with one statement at a time. A fatal error disables DuckDB; until its
 * replacement opens, statements fail with `not_ready`.
 */
export class ConnectionPool {
  readonly #options: PoolOptions
  readonly #instance: ReplaceableInstance
  #toldAt = Number.NEGATIVE_INFINITY
  #statements = 0
  #rows = 0

  private constructor(options: PoolOptions, instance: ReplaceableInstance) {
    this.#options = options
    this.#instance = instance
  }

  static async open(options: PoolOptions): Promise<ConnectionPool> {
    return new ConnectionPool(options, await ReplaceableInstance.open(options))
  }

  load(): { statements: number; rows: number; running: number; waiting: number } {
    return { statements: this.#statements, rows: this.#rows, ...this.#instance.current.load() }
  }

  isOpening(): boolean {
    return this.#instance.isOpening()
  }

  /** Rejects if no statement is answered. An instance without an answer for too long is replaced. */
  async ping(): Promise<void> {
    const instance = this.#instance.current
    await instance.ping(this.#options.longestPingMs ?? LONGEST_PING_MS).catch((error) => {
      this.#instance.replace(instance, error)
      throw error
    })
  }

  /** Runs a statement and returns all rows. */
  async run(statement: Statement, signal?: AbortSignal): Promise<readonly Selected[]> {
    const result = await this.result(statement, signal)
    const names = result.columnNames()
    const rows: Selected[] = []
    for (let chunk = 0; chunk < result.chunkCount; chunk += 1) {
      if (chunk > 0 && isSliceOver()) await nextSlice(signal)
      rows.push(...rowsOfChunk(result.getChunk(chunk), names))
    }
    return rows
  }

  /** The same, undecoded. An aborted signal ends the wait for a connection and the statement. */
  async result(statement: Statement, signal?: AbortSignal): Promise<DuckDBMaterializedResult> {
    signal?.throwIfAborted()
    const instance = this.#instance.current
    try {
      const result = await instance.run(statement, signal)
      this.#statements += 1
      this.#rows += result.rowCount
      return result
    } catch (error) {
      throw this.#faultOf(instance, error, signal)
    }
  }

  /** Streams the rows of a statement on a separate connection, since the consumer may be slow. */
  async *stream(statement: Statement, signal?: AbortSignal): AsyncGenerator<readonly Selected[]> {
    for await (const { chunk, names, rows } of this.chunks(statement, signal))
      yield rowsOfChunk(chunk, names).slice(0, rows)
  }

  /** The same, undecoded. */
  async *chunks(statement: Statement, signal?: AbortSignal): AsyncGenerator<StreamedChunk> {
    signal?.throwIfAborted()
    const instance = this.#instance.current
    this.#statements += 1
    try {
      for await (const chunk of streamChunks(instance, statement, signal)) {
        this.#rows += chunk.rows
        yield chunk
      }
    } catch (error) {
      throw this.#faultOf(instance, error, signal)
    }
  }

  /** See `ReplaceableInstance`. */
  renew(): Promise<void> {
    return this.#instance.renew()
  }

  close(): Promise<void> {
    return this.#instance.close()
  }

  /** Maps an error for the client. A failed instance is replaced. */
  #faultOf(instance: PooledInstance, error: unknown, signal: AbortSignal | undefined): unknown {
    const sentence = sentenceOf(error)
    if (isFatal(sentence)) this.#instance.replace(instance, error)
    // Not all of these are fatal; a ping decides.
    else if (sentence.startsWith('INTERNAL Error')) void this.ping().catch(() => {})
    if (signal?.aborted) return signal.reason
    if (instance.ending.aborted) return instance.ending.reason
    const fault = readFault(error)
    const passing = unlessPassing(fault)
    if (passing !== fault) this.#tellPassing(error)
    return passing
  }

  #tellPassing(error: unknown): void {
    if (performance.now() - this.#toldAt < TELL_AGAIN_MS) return
    this.#toldAt = performance.now()
    this.#options.report?.(`Data files cannot be read now: ${sentenceOf(error)}`)
  }
}

function isFatal(sentence: string): boolean {
  return /^FATAL Error|database has been invalidated/.test(sentence)
}
