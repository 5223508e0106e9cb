import type { ContentReader } from '../../lake/ports/content-reader.ts'
import type { Target } from './inventory.ts'

/** One reader for all checks. The first use opens it; calls run one after the other. */
export class SharedReader {
  readonly #open: Target['openReader']
  #opened: ReturnType<Target['openReader']> | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(open: Target['openReader']) {
    this.#open = open
  }

  use<T>(work: (reader: ContentReader) => Promise<T>): Promise<T> {
    const next = this.#last.then(async () => {
      this.#opened ??= this.#open()
      return await work(await this.#opened)
    })
    this.#last = next.catch(() => {})
    return next
  }

  async close(): Promise<void> {
    await this.#last
    await (await this.#opened?.catch(() => undefined))?.close()
    this.#opened = undefined
  }
}
