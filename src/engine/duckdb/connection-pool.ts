import type {
  DuckDBConnection,
  DuckDBInstance,
  DuckDBMaterializedResult,
  DuckDBPreparedStatement,
} from '@duckdb/node-api'
import type { Statement } from '../sql/compile.ts'
import { boundValues } from './duckdb-values.ts'
import { readFault } from './failures.ts'
import { interruptOnAbort } from './interrupt.ts'
import { rowsOfResult, type Selected } from './rows-of-result.ts'
import { rowsUntilEnd, withEnd } from './stream-rows.ts'

const REMEMBERED_STATEMENTS = 64

interface PooledConnection {
  readonly connection: DuckDBConnection
  readonly statements: Map<string, DuckDBPreparedStatement>
}

/**
 * A fixed number of connections, each running one statement at a time: a second statement on a connection
 * would end the first one silently. Prepared statements are remembered per connection.
 */
export class ConnectionPool {
  readonly #instance: DuckDBInstance
  readonly #free: PooledConnection[] = []
  readonly #waiting: ((pooled: PooledConnection) => void)[] = []
  readonly #all: PooledConnection[] = []
  /** Beside those that statements wait for. */
  #spare: DuckDBConnection | undefined
  readonly #pings = new Set<Promise<unknown>>()
  #statements = 0
  #rows = 0

  private constructor(instance: DuckDBInstance) {
    this.#instance = instance
  }

  static async open(instance: DuckDBInstance, size: number): Promise<ConnectionPool> {
    const pool = new ConnectionPool(instance)
    for (let index = 0; index < size; index += 1) {
      const pooled = { connection: await instance.connect(), statements: new Map() }
      pool.#all.push(pooled)
      pool.#free.push(pooled)
    }
    pool.#spare = await instance.connect()
    return pool
  }

  /** What runs, waits and was done. */
  load(): { statements: number; rows: number; running: number; waiting: number } {
    const running = this.#all.length - this.#free.length
    return { statements: this.#statements, rows: this.#rows, running, waiting: this.#waiting.length }
  }

  /** Rejects where the instance answers nothing any more, as after an error that it calls fatal. */
  async ping(): Promise<void> {
    if (this.#spare === undefined) throw new Error('the engine is closed')
    const answer = this.#spare.run('SELECT 1')
    this.#pings.add(answer)
    await answer.finally(() => this.#pings.delete(answer))
  }

  /** Runs one statement to its end, and gives its result as a whole. */
  async run(statement: Statement, signal?: AbortSignal): Promise<readonly Selected[]> {
    return rowsOfResult(await this.result(statement, signal))
  }

  /** The same, not decoded yet. */
  async result(statement: Statement, signal?: AbortSignal): Promise<DuckDBMaterializedResult> {
    signal?.throwIfAborted()
    const pooled = await this.#take()
    const stop = interruptOnAbort(pooled.connection, signal)
    try {
      signal?.throwIfAborted()
      const prepared = await this.#bind(pooled, statement)
      const result = await prepared.run()
      this.#statements += 1
      this.#rows += result.rowCount
      return result
    } catch (error) {
      signal?.throwIfAborted()
      throw readFault(error)
    } finally {
      stop()
      this.#give(pooled)
    }
  }

  /**
   * Runs one statement and gives its rows as they are asked for. Whoever asks may be slow, so it has a connection of its own,
   * which ends with it.
   */
  async *stream(statement: Statement, signal?: AbortSignal): AsyncGenerator<readonly Selected[]> {
    signal?.throwIfAborted()
    const connection = await this.#instance.connect()
    const stop = interruptOnAbort(connection, signal)
    try {
      signal?.throwIfAborted()
      const { text, values } = withEnd(statement)
      const bound = boundValues(values)
      this.#statements += 1
      for await (const rows of rowsUntilEnd(await connection.stream(text, bound.values, bound.types))) {
        signal?.throwIfAborted()
        this.#rows += rows.length
        yield rows
      }
      signal?.throwIfAborted()
    } catch (error) {
      signal?.throwIfAborted()
      throw readFault(error)
    } finally {
      stop()
      // Another statement ends one that is still open, and frees what it holds.
      await connection.run('SELECT 1').catch(() => {})
      connection.closeSync()
    }
  }

  /** A connection that is closed while its statement runs takes the process down, so pings are waited for. */
  async close(): Promise<void> {
    const spare = this.#spare
    this.#spare = undefined
    await Promise.allSettled(this.#pings)
    spare?.closeSync()
    for (const { connection, statements } of this.#all) {
      for (const statement of statements.values()) statement.destroySync()
      connection.closeSync()
    }
  }

  async #bind(pooled: PooledConnection, { text, values }: Statement): Promise<DuckDBPreparedStatement> {
    const prepared = await this.#prepare(pooled, text)
    const bound = boundValues(values)
    prepared.bind(bound.values, bound.types)
    return prepared
  }

  async #prepare(
    { connection, statements }: PooledConnection,
    text: string,
  ): Promise<DuckDBPreparedStatement> {
    const known = statements.get(text)
    if (known !== undefined) return known
    const prepared = await connection.prepare(text)
    const [oldest] = statements.keys()
    if (statements.size >= REMEMBERED_STATEMENTS && oldest !== undefined) {
      statements.get(oldest)?.destroySync()
      statements.delete(oldest)
    }
    statements.set(text, prepared)
    return prepared
  }

  #take(): Promise<PooledConnection> {
    const free = this.#free.pop()
    if (free !== undefined) return Promise.resolve(free)
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #give(pooled: PooledConnection): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free.push(pooled)
    else next(pooled)
  }
}
