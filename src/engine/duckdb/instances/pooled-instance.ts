import { setMaxListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type {
  DuckDBConnection,
  DuckDBInstance,
  DuckDBMaterializedResult,
  DuckDBPreparedStatement,
} from '@duckdb/node-api'
import { Slots } from '../../../base/slots.ts'
import { unlessGone } from '../../../base/unless-gone.ts'
import { separateTurn } from '../../separate-turn.ts'
import type { Statement } from '../../sql/compile.ts'
import { boundValues } from '../duckdb-values.ts'
import { interruptOnAbort } from '../interrupt.ts'
import { prepareSelect, runCopy } from '../only-select.ts'
import { answerInTime } from './answer-in-time.ts'

const REMEMBERED_STATEMENTS = 64
const LOOK_WHETHER_IDLE_MS = 100

/** A connection runs one statement: a second one would end it silently. */
interface PooledConnection {
  readonly connection: DuckDBConnection
  readonly statements: Map<string, DuckDBPreparedStatement>
}

/**
 * A DuckDB and its connections. Closing a connection with a running statement crashes the process, so it waits for
 * the last statement.
 */
export class PooledInstance {
  readonly #instance: DuckDBInstance
  readonly #connections: readonly PooledConnection[]
  readonly #free: PooledConnection[]
  readonly #slots: Slots
  /** Reserved for pings. */
  readonly #spare: DuckDBConnection
  /** Work that must be over before the instance closes. */
  readonly #work = new Set<Promise<unknown>>()
  /** Aborts with the reason why the instance ends. */
  readonly #ending = new AbortController()
  #ping: Promise<unknown> | undefined
  #closed: Promise<void> | undefined

  private constructor(
    instance: DuckDBInstance,
    connections: readonly PooledConnection[],
    spare: DuckDBConnection,
  ) {
    this.#instance = instance
    this.#connections = connections
    this.#free = [...connections]
    this.#slots = new Slots(connections.length)
    this.#spare = spare
    setMaxListeners(0, this.ending)
  }

  static async open(instance: DuckDBInstance, size: number): Promise<PooledInstance> {
    const connections: PooledConnection[] = []
    for (let index = 0; index < size; index += 1) {
      connections.push({ connection: await instance.connect(), statements: new Map() })
    }
    return new PooledInstance(instance, connections, await instance.connect())
  }

  load(): { running: number; waiting: number } {
    return { running: this.#slots.running, waiting: this.#slots.waiting }
  }

  get ending(): AbortSignal {
    return this.#ending.signal
  }

  /** Runs a statement on a free connection. Errors: the reason of the signal, or why the instance ended. */
  run(statement: Statement, signal: AbortSignal | undefined): Promise<DuckDBMaterializedResult> {
    return unlessGone(this.#keptOpen(this.#runInSlot(statement, signal)), this.ending)
  }

  /**
   * Opens an extra connection for a statement with a slow consumer. The instance closes after `isOver` settles.
   * Errors: the reason why the instance ended.
   */
  connect(isOver: Promise<unknown>): Promise<DuckDBConnection> {
    this.ending.throwIfAborted()
    this.#keptOpen(isOver)
    return this.#instance.connect()
  }

  /** Rejects if the instance answers nothing, as after a fatal error, or not in time. */
  async ping(longestMs: number): Promise<void> {
    this.ending.throwIfAborted()
    this.#ping ??= this.#spare.run('SELECT 1').finally(() => {
      this.#ping = undefined
    })
    await answerInTime(this.#ping, longestMs)
  }

  /**
   * Starts no further statement and interrupts running ones, which fail with `why`; resolves when everything is
   * closed.
   */
  end(why: unknown): Promise<void> {
    this.#ending.abort(why)
    this.#closed ??= this.#close()
    return this.#closed
  }

  /** Ends it once idle. */
  async retire(why: unknown): Promise<void> {
    while (!this.ending.aborted && this.#work.size > 0)
      await setTimeout(LOOK_WHETHER_IDLE_MS, undefined, { ref: false })
    await this.end(why)
  }

  #keptOpen<T>(work: Promise<T>): Promise<T> {
    const isOver = () => this.#work.delete(work)
    this.#work.add(work)
    work.then(isOver, isOver)
    return work
  }

  async #runInSlot(statement: Statement, signal: AbortSignal | undefined): Promise<DuckDBMaterializedResult> {
    const result = await this.#slots.run(() => this.#runOnFree(statement, signal), signal)
    // Concurrent results would block the event loop until all are written.
    await separateTurn()
    return result
  }

  async #runOnFree(statement: Statement, signal: AbortSignal | undefined): Promise<DuckDBMaterializedResult> {
    this.ending.throwIfAborted()
    const pooled = this.#free.pop()
    if (pooled === undefined) throw new Error('there are fewer connections than slots')
    const stop = interruptOnAbort(pooled.connection, signal, this.ending)
    try {
      signal?.throwIfAborted()
      if (statement.isCopy)
        return await runCopy(pooled.connection, statement.text, boundValues(statement.values))
      return await (await bind(pooled, statement)).run()
    } finally {
      stop()
      this.#free.push(pooled)
    }
  }

  async #close(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled(this.#work)
    await this.#ping?.catch(() => {})
    this.#spare.closeSync()
    for (const { connection, statements } of this.#connections) {
      for (const statement of statements.values()) statement.destroySync()
      connection.closeSync()
    }
    this.#instance.closeSync()
  }
}

/** Prepares a statement on this connection, or reuses it, and binds its values. */
async function bind(
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
