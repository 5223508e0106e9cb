import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from '@duckdb/node-api'
import type { Statement } from '../sql/compile.ts'
import { boundValues } from './duckdb-values.ts'
import { prepareSelect } from './only-select.ts'

const REMEMBERED_STATEMENTS = 64
const INTERRUPT_EVERY_MS = 25

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
  readonly #all: readonly PooledConnection[]
  readonly #free: PooledConnection[]
  readonly #waiting = new Set<Waiting>()
  /** Beside those that statements wait for. */
  readonly #spare: DuckDBConnection
  readonly #running = new Set<Pick<DuckDBConnection, 'interrupt'>>()
  readonly #pings = new Set<Promise<unknown>>()
  #end: unknown
  #closed: Promise<void> | undefined
  #onIdle = () => {}

  private constructor(instance: DuckDBInstance, all: readonly PooledConnection[], spare: DuckDBConnection) {
    this.#instance = instance
    this.#all = all
    this.#free = [...all]
    this.#spare = spare
  }

  static async open(instance: DuckDBInstance, size: number): Promise<PooledInstance> {
    const all: PooledConnection[] = []
    for (let index = 0; index < size; index += 1) {
      all.push({ connection: await instance.connect(), statements: new Map() })
    }
    return new PooledInstance(instance, all, await instance.connect())
  }

  load(): { running: number; waiting: number } {
    return { running: this.#all.length - this.#free.length, waiting: this.#waiting.size }
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

  /** A connection beside the others, for a statement whose rows may be asked for slowly. */
  async takeOwn(): Promise<DuckDBConnection> {
    this.throwIfEnded()
    // The instance must not be closed meanwhile either.
    const opening = { interrupt() {} }
    this.#running.add(opening)
    try {
      const connection = await this.#instance.connect()
      this.#running.add(connection)
      return connection
    } finally {
      this.#over(opening)
    }
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

  /** Rejects where the instance answers nothing any more, as after an error that it calls fatal. */
  async ping(): Promise<void> {
    this.throwIfEnded()
    const answer = this.#spare.run('SELECT 1')
    this.#pings.add(answer)
    await answer.finally(() => this.#pings.delete(answer))
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
    return this.#closed
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
    const timer = setInterval(interrupt, INTERRUPT_EVERY_MS)
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
    clearInterval(timer)
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#pings)
    this.#spare.closeSync()
    for (const { connection, statements } of this.#all) {
      for (const statement of statements.values()) statement.destroySync()
      connection.closeSync()
    }
    this.#instance.closeSync()
  }
}
