import { setTimeout } from 'node:timers/promises'
import type { DuckDBInstance } from '@duckdb/node-api'
import { inBackground } from '../../../base/background.ts'
import { ServiceError, sentenceOf } from '../../../base/errors.ts'
import { PooledInstance } from './pooled-instance.ts'

const OPEN_AGAIN_MS = 250

export interface InstanceOptions {
  /** Opens a DuckDB; called again after a fatal failure. */
  readonly open: () => Promise<DuckDBInstance>
  readonly connections: number
  /** Called on a failure, a failed replacement, and a temporary system refusal. */
  readonly report?: ((sentence: string) => void) | undefined
}

/** The current DuckDB, replaced after a failure and periodically. */
export class ReplaceableInstance {
  readonly #options: InstanceOptions
  #current: PooledInstance
  #opening: Promise<void> | undefined
  #renewal: Promise<void> | undefined
  #retiring: PooledInstance | undefined
  #isClosed = false

  private constructor(options: InstanceOptions, first: PooledInstance) {
    this.#options = options
    this.#current = first
  }

  static async open(options: InstanceOptions): Promise<ReplaceableInstance> {
    return new ReplaceableInstance(
      options,
      await PooledInstance.open(await options.open(), options.connections),
    )
  }

  get current(): PooledInstance {
    return this.#current
  }

  isOpening(): boolean {
    return this.#opening !== undefined
  }

  /**
   * Replaces this DuckDB, which ends with its last statement: a DuckDB never forgets files. If no other can be
   * opened, it stays.
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

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#current.end(isClosed()), this.#retiring?.end(isClosed())])
    await Promise.all([this.#opening, this.#renewal])
  }

  replace(instance: PooledInstance, cause: unknown): void {
    if (instance !== this.#current || this.#opening !== undefined || this.#isClosed) return
    this.#options.report?.(`DuckDB has failed and is opened anew: ${sentenceOf(cause)}`)
    const why = 'The engine has failed and is being opened anew; ask again in a moment.'
    inBackground('ending DuckDB', () => instance.end(new ServiceError('not_ready', why, { cause })))
    this.#opening = this.#openAnother().finally(() => {
      this.#opening = undefined
    })
  }

  async #openAnother(): Promise<void> {
    const { open, connections, report } = this.#options
    let reported = ''
    while (!this.#isClosed) {
      try {
        const next = await PooledInstance.open(await open(), connections)
        if (this.#isClosed) await next.end(isClosed())
        else this.#current = next
        return
      } catch (error) {
        const sentence = `DuckDB cannot be opened: ${sentenceOf(error)}`
        if (sentence !== reported) report?.(sentence)
        reported = sentence
        await setTimeout(OPEN_AGAIN_MS)
      }
    }
  }
}

function isClosed(): Error {
  return new Error('the engine is closed')
}
