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

/** A store whose requests are counted before they are sent, and retried. */
export class CountedStore {
  readonly #store: ObjectStore
  readonly #spending: Spending
  readonly #patience: RetryPolicy
  readonly #names: NameLimit

  /** `mostNames` limits the names of all listings. */
  constructor(store: ObjectStore, spending: Spending, patience: RetryPolicy, mostNames = DEFAULT_MOST_NAMES) {
    this.#names = nameLimit(
      mostNames,
      `it has more than the ${mostNames} names of --most-names; name a longer folder, use --from or --only, or raise it`,
    )
    this.#store = store
    this.#spending = spending
    this.#patience = patience
  }

  /** All pages of a listing. Errors: `StoreFault`, `BudgetSpent`, the reason of the signal. */
  async *pages(query: ObjectQuery, signal?: AbortSignal): AsyncGenerator<ObjectPage> {
    const ask = async (next: string | undefined) => {
      await this.#spending.list()
      return await this.#store.list({ ...query, next }, signal)
    }
    yield* listAllPages(
      (next) => retryRequest(() => ask(next), this.#patience, signal),
      this.#names,
      query.next,
    )
  }

  /** Returns the listing entry of one object, or undefined if it does not exist. Errors: see `pages`. */
  async head(key: string, signal?: AbortSignal): Promise<StoredObject | undefined> {
    return await retryRequest(
      async () => {
        await this.#spending.read(0)
        return await this.#store.head(key, signal)
      },
      this.#patience,
      signal,
    )
  }

  /** Reads an object into `sink`, resuming after passing faults. Errors: see `pages`; those of the sink. */
  async read(object: StoredObject, sink: Sink, signal?: AbortSignal): Promise<Pick<ObjectBody, 'md5'>> {
    return await retryRequest(
      async () => {
        const from = sink.bytes()
        await this.#spending.read(object.bytes - from)
        try {
          const { chunks, md5 } = await this.#store.read(object, from, signal)
          for await (const chunk of chunks) await sink.write(chunk)
          if (sink.bytes() !== object.bytes)
            throw new StoreFault('passing', `${object.key} broke off after ${sink.bytes()} bytes`)
          return { md5 }
        } catch (error) {
          const isReply = error instanceof StoreFault && error.status > 0
          await this.#spending.giveBack(object.bytes - sink.bytes(), isReply)
          throw error
        }
      },
      this.#patience,
      signal,
    )
  }
}
