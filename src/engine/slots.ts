/** Runs a fixed number of statements at once; others wait in order. */
export class Slots {
  readonly #most: number
  readonly #waiting = new Set<() => void>()
  #running = 0

  constructor(most: number) {
    this.#most = most
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Runs work in a slot. An aborted signal ends the wait with its reason. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    if (this.#running < this.#most) this.#running += 1
    else await this.#turn(signal)
    try {
      return await work()
    } finally {
      this.#pass()
    }
  }

  /** A finished statement passes its slot to the first in the queue. */
  #pass(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#running -= 1
    else next()
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        this.#waiting.delete(begin)
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.delete(begin)
        reject(signal?.reason)
      }
      this.#waiting.add(begin)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
}
