import { setTimeout } from 'node:timers/promises'
import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from '@duckdb/node-api'
import { every } from '../../../base/background.ts'
import type { Statement } from '../../sql/compile.ts'
import { boundValues } from '../duckdb-values.ts'
import { prepareSelect } from '../only-select.ts'
import { answerInTime } from './answer-in-time.ts'

const REMEMBERED_STATEMENTS = 64
const INTERRUPT_EVERY_MS = 25
const LOOK_WHETHER_IDLE_MS = 100

/** A connection for one statement at a time: a second one would end the first silently. */
export interface PooledConnection {
  readonly connection: DuckDBConnection
  readonly statements: Map<string, DuckDBPreparedStatement>
}

interface Waiting {
  take(pooled: PooledConnection): void
  fail(error: unknown): void
}

/**
 * One DuckDB and its connections. A connection that is closed while its statement runs takes the process down, so it is closed
 * when the last statement has ended.
 */
export class PooledInstance {
  readonly #instance: DuckDBInstance
  readonly #connections: readonly PooledConnection[]
  readonly #free: PooledConnection[]
  readonly #waiting = new Set<Waiting>()
  /** Beside those that statements wait for. */
  readonly #spare: DuckDBConnection
  readonly #running = new Set<Pick<DuckDBConnection, 'interrupt'>>()
  /** Told at once when the instance is ended, whatever they wait for. */
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

  /** Waits for a connection, to be given back. Errors: the reason of the signal; why the instance was ended. */
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

  /**
   * A connection beside the others, for a statement whose rows may be asked for slowly. Errors: why the instance was ended, at
   * once, whatever connecting waits for.
   */
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

  /** Does not close the instance until something has ended that no connection is needed for. */
  async keptOpen<T>(underWay: Promise<T>): Promise<T> {
    const use = { interrupt() {} }
    this.#running.add(use)
    return await underWay.finally(() => this.#over(use))
  }

  giveOwn(connection: DuckDBConnection): void {
    connection.closeSync()
    this.#over(connection)
  }

  /** The statement, prepared on this connection or remembered, with its values. */
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

  /** Rejects where the instance answers nothing any more, as after an error that it calls fatal, or nothing for so long. */
  async ping(longestMs: number): Promise<void> {
    this.throwIfEnded()
    this.#ping ??= this.#spare.run('SELECT 1').finally(() => {
      this.#ping = undefined
    })
    await answerInTime(this.#ping, longestMs)
  }

  /** What a statement gives, or why the instance was ended, without waiting for a statement that does not end. */
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

  /** Errors: why it was ended. */
  throwIfEnded(): void {
    if (this.#closed !== undefined) throw this.#end
  }

  /** Begins no statement any more and interrupts those that run, which fail with `why`; resolves when all is closed. */
  end(why: unknown): Promise<void> {
    this.#end = why
    this.#closed ??= this.#interruptAll().then(() => this.#close())
    for (const waiting of this.#waiting) waiting.fail(why)
    for (const notify of this.#failureListeners) notify(why)
    return this.#closed
  }

  /** Ends it once nobody uses it or waits for it any more. */
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

  /** An interrupt before the statement has left the queue is lost, so it is repeated until the end. */
  async #interruptAll(): Promise<void> {
    if (this.#running.size === 0) return
    const interrupt = () => {
      for (const connection of this.#running) connection.interrupt()
    }
    interrupt()
    const interrupting = every(INTERRUPT_EVERY_MS, 'interrupting statements', interrupt)
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
