import type { Sink } from '../object-store/download-part.ts'
import { listAllPages, type NameLimit, nameLimit } from '../object-store/list-all-pages.ts'
import {
  type ObjectBody,
  type ObjectPage,
  type ObjectQuery,
  type ObjectStore,
  type StoredObject,
  StoreFault,
} from '../object-store/object-store.ts'
import { type RetryPolicy, retryRequest } from '../object-store/retry-request.ts'
import type { Spending } from './spending.ts'

/** Listings take some hundred megabytes. */
export const DEFAULT_MOST_NAMES = 1_000_000

export interface CountedStoreOptions {
  readonly patience: RetryPolicy
  /** Limit on the names of all listings. */
  readonly mostNames?: number | undefined
  /** Aborts all requests. */
  readonly signal?: AbortSignal | undefined
}

/** A store whose requests are counted before they are sent, and retried. */
export class CountedStore {
  readonly #store: ObjectStore
  readonly #spending: Spending
  readonly #patience: RetryPolicy
  readonly #names: NameLimit
  readonly signal: AbortSignal | undefined

  constructor(store: ObjectStore, spending: Spending, options: CountedStoreOptions) {
    const { patience, mostNames = DEFAULT_MOST_NAMES, signal } = options
    this.#names = nameLimit(
      mostNames,
      `it has more than the ${mostNames} names of --most-names; name a longer folder, use --from or --only, or raise it`,
    )
    this.#store = store
    this.#spending = spending
    this.#patience = patience
    this.signal = signal
  }

  /** All pages of a listing. Errors: `StoreFault`, `BudgetSpent`, the reason of the signal. */
  async *pages(query: ObjectQuery): AsyncGenerator<ObjectPage> {
    const list = (next: string | undefined) =>
      this.#retry(async () => {
        await this.#spending.list()
        return await this.#store.list({ ...query, next }, this.signal)
      })
    yield* listAllPages(list, this.#names, query.next)
  }

  /** Returns the listing entry of one object, or undefined if it does not exist. Errors: see `pages`. */
  async head(key: string): Promise<StoredObject | undefined> {
    return await this.#retry(async () => {
      await this.#spending.read(0)
      return await this.#store.head(key, this.signal)
    })
  }

  /** Reads an object into `sink`, resuming after passing faults. Errors: see `pages`; those of the sink. */
  async read(object: StoredObject, sink: Sink): Promise<Pick<ObjectBody, 'md5'>> {
    return await this.#retry(async () => {
      const from = sink.bytes()
      await this.#spending.read(object.bytes - from)
      try {
        const { chunks, md5 } = await this.#store.read(object, from, this.signal)
        for await (const chunk of chunks) await sink.write(chunk)
        if (sink.bytes() !== object.bytes)
          throw new StoreFault('passing', `${object.key} broke off after ${sink.bytes()} bytes`)
        return { md5 }
      } catch (error) {
        const isReply = error instanceof StoreFault && error.status > 0
        await this.#spending.giveBack(object.bytes - sink.bytes(), isReply)
        throw error
      }
    })
  }

  #retry<T>(request: () => Promise<T>): Promise<T> {
    return retryRequest(request, this.#patience, this.signal)
  }
}
