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
    const turn = this.#enter(signal)
    if (turn !== undefined) await turn
    try {
      return await work()
    } finally {
      this.#pass()
    }
  }

  /** Waits for a slot, and returns the function that leaves it. An aborted signal ends the wait with its reason. */
  async take(signal?: AbortSignal): Promise<() => void> {
    await this.#enter(signal)
    return () => this.#pass()
  }

  /** Returns undefined if there is a free slot. */
  #enter(signal: AbortSignal | undefined): Promise<void> | undefined {
    signal?.throwIfAborted()
    if (this.#running === this.#most) return this.#turn(signal)
    this.#running += 1
    return undefined
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
