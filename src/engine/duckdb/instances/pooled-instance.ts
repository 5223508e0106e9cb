import { setTimeout } from 'node:timers/promises'
import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from '@duckdb/node-api'
import { repeatEvery } from '../../../base/background.ts'
import type { Statement } from '../../sql/compile.ts'
import { boundValues } from '../duckdb-values.ts'
import { prepareSelect } from '../only-select.ts'
import { answerInTime } from './answer-in-time.ts'

const REMEMBERED_STATEMENTS = 64
const INTERRUPT_EVERY_MS = 25
const LOOK_WHETHER_IDLE_MS = 100

/** A connection runs one statement: a second one would end it silently. */
export interface PooledConnection {
  readonly connection: DuckDBConnection
  readonly statements: Map<string, DuckDBPreparedStatement>
}

interface Waiting {
  take(pooled: PooledConnection): void
  fail(error: unknown): void
}

/**
 * A DuckDB and its connections. Closing a connection with a running statement crashes the process, so it waits for
 * the last statement.
 */
export class PooledInstance {
  readonly #instance: DuckDBInstance
  readonly #connections: readonly PooledConnection[]
  readonly #free: PooledConnection[]
  readonly #waiting = new Set<Waiting>()
  /** Reserved for pings and settings. */
  readonly #spare: DuckDBConnection
  readonly #running = new Set<Pick<DuckDBConnection, 'interrupt'>>()
  /** Called when the instance ends. */
  readonly #failureListeners = new Set<(why: unknown) => void>()
  #ping: Promise<unknown> | undefined
  #end: unknown
  #closed: Promise<void> | undefined
  #onIdle = () => {}

  private constructor(
    instance: DuckDBInstance,
    connections: readonly PooledConnection[],
    spare: DuckDBConnection,
  ) {
    this.#instance = instance
    this.#connections = connections
    this.#free = [...connections]
    this.#spare = spare
  }

  static async open(instance: DuckDBInstance, size: number): Promise<PooledInstance> {
    const connections: PooledConnection[] = []
    for (let index = 0; index < size; index += 1) {
      connections.push({ connection: await instance.connect(), statements: new Map() })
    }
    return new PooledInstance(instance, connections, await instance.connect())
  }

  load(): { running: number; waiting: number } {
    return { running: this.#connections.length - this.#free.length, waiting: this.#waiting.size }
  }

  /**
   * Waits for a connection; return it afterwards.
   * Errors: the reason of the signal; the reason why the instance ended.
   */
  take(signal: AbortSignal | undefined): Promise<PooledConnection> {
    this.throwIfEnded()
    const free = this.#free.pop()
    if (free !== undefined) return Promise.resolve(this.#begin(free))
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting)
        signal?.removeEventListener('abort', giveUp)
      }
      const fail = (error: unknown) => {
        leave()
        reject(error)
      }
      const giveUp = () => fail(signal?.reason)
      const take = (pooled: PooledConnection) => {
        leave()
        resolve(this.#begin(pooled))
      }
      const waiting = { take, fail }
      this.#waiting.add(waiting)
      signal?.addEventListener('abort', giveUp)
    })
  }

  give(pooled: PooledConnection): void {
    this.#over(pooled.connection)
    const [next] = this.#waiting
    if (next === undefined) this.#free.push(pooled)
    else next.take(pooled)
  }

  /** An extra connection for a statement with a slow consumer. Errors: the reason why the instance ended. */
  async takeOwn(): Promise<DuckDBConnection> {
    this.throwIfEnded()
    const connecting = this.keptOpen(this.#connectOwn())
    return await this.unlessEnded(connecting).catch((error) => {
      connecting.then(
        (connection) => this.giveOwn(connection),
        () => {},
      )
      throw error
    })
  }

  /** Keeps the instance open until work without a connection has ended. */
  async keptOpen<T>(underWay: Promise<T>): Promise<T> {
    const use = { interrupt() {} }
    this.#running.add(use)
    return await underWay.finally(() => this.#over(use))
  }

  giveOwn(connection: DuckDBConnection): void {
    connection.closeSync()
    this.#over(connection)
  }

  /** Prepares a statement on this connection, or reuses it, and binds its values. */
  async bind(
    { connection, statements }: PooledConnection,
    { text, values }: Statement,
  ): Promise<DuckDBPreparedStatement> {
    let prepared = statements.get(text)
    if (prepared === undefined) {
      prepared = await prepareSelect(connection, text)
      const [oldest] = statements.keys()
      if (statements.size >= REMEMBERED_STATEMENTS && oldest !== undefined) {
        statements.get(oldest)?.destroySync()
        statements.delete(oldest)
      }
      statements.set(text, prepared)
    }
    const bound = boundValues(values)
    prepared.bind(bound.values, bound.types)
    return prepared
  }

  /** Rejects if the instance answers nothing, as after a fatal error, or not in time. */
  async ping(longestMs: number): Promise<void> {
    this.throwIfEnded()
    this.#ping ??= this.#spare.run('SELECT 1').finally(() => {
      this.#ping = undefined
    })
    await answerInTime(this.#ping, longestMs)
  }

  /** Awaits a statement, or rejects with the reason why the instance ended. */
  async unlessEnded<T>(underWay: Promise<T>): Promise<T> {
    let rejectWait = (_why: unknown) => {}
    const ended = new Promise<never>((_resolve, reject) => {
      rejectWait = reject
    })
    this.#failureListeners.add(rejectWait)
    if (this.#closed !== undefined) rejectWait(this.#end)
    try {
      return await Promise.race([underWay, ended])
    } finally {
      this.#failureListeners.delete(rejectWait)
    }
  }

  /** Errors: the reason why it ended. */
  throwIfEnded(): void {
    if (this.#closed !== undefined) throw this.#end
  }

  /**
   * Starts no further statement and interrupts running ones, which fail with `why`; resolves when everything is
   * closed.
   */
  end(why: unknown): Promise<void> {
    this.#end = why
    this.#closed ??= this.#interruptAll().then(() => this.#close())
    for (const waiting of this.#waiting) waiting.fail(why)
    for (const notify of this.#failureListeners) notify(why)
    return this.#closed
  }

  /** Ends it once idle. */
  async retire(why: unknown): Promise<void> {
    while (this.#closed === undefined && this.#running.size + this.#waiting.size > 0)
      await setTimeout(LOOK_WHETHER_IDLE_MS, undefined, { ref: false })
    await this.end(why)
  }

  async #connectOwn(): Promise<DuckDBConnection> {
    const connection = await this.#instance.connect()
    this.#running.add(connection)
    return connection
  }

  #begin(pooled: PooledConnection): PooledConnection {
    this.#running.add(pooled.connection)
    return pooled
  }

  #over(running: Pick<DuckDBConnection, 'interrupt'>): void {
    this.#running.delete(running)
    if (this.#running.size === 0) this.#onIdle()
  }

  /** An interrupt before the statement leaves the queue is lost, so repeat it. */
  async #interruptAll(): Promise<void> {
    if (this.#running.size === 0) return
    const interrupt = () => {
      for (const connection of this.#running) connection.interrupt()
    }
    interrupt()
    const interrupting = repeatEvery(INTERRUPT_EVERY_MS, 'interrupting statements', interrupt)
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
    interrupting.stop()
  }

  async #close(): Promise<void> {
    await this.#ping?.catch(() => {})
    this.#spare.closeSync()
    for (const { connection, statements } of this.#connections) {
      for (const statement of statements.values()) statement.destroySync()
      connection.closeSync()
    }
    this.#instance.closeSync()
  }
}
