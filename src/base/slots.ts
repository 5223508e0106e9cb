/** Statements without a client share a place. */
const ANYONE = ''

/**
 * Runs a fixed number of statements at once; others wait. The first of the client that has the fewest slots is next, so
 * that a client with many statements does not keep others waiting for all of them.
 */
export class Slots {
  readonly #most: number
  readonly #waiting = new Map<() => void, string>()
  /** Slots of each client that has any. */
  readonly #held = new Map<string, number>()
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
    const turn = this.#enter(ANYONE, signal)
    if (turn !== undefined) await turn
    try {
      return await work()
    } finally {
      this.#pass(ANYONE)
    }
  }

  /** Waits for a slot, and returns the function that leaves it. An aborted signal ends the wait with its reason. */
  async take(signal?: AbortSignal, client = ANYONE): Promise<() => void> {
    await this.#enter(client, signal)
    return () => this.#pass(client)
  }

  /** Returns undefined if there is a free slot. */
  #enter(client: string, signal: AbortSignal | undefined): Promise<void> | undefined {
    signal?.throwIfAborted()
    if (this.#running === this.#most) return this.#turn(client, signal)
    this.#running += 1
    this.#hold(client, 1)
    return undefined
  }

  #hold(client: string, more: 1 | -1): void {
    const held = this.#heldBy(client) + more
    if (held === 0) this.#held.delete(client)
    else this.#held.set(client, held)
  }

  #heldBy(client: string): number {
    return this.#held.get(client) ?? 0
  }

  /** A finished statement passes its slot on. */
  #pass(client: string): void {
    this.#hold(client, -1)
    let next: [begin: () => void, client: string] | undefined
    for (const one of this.#waiting)
      if (next === undefined || this.#heldBy(one[1]) < this.#heldBy(next[1])) next = one
    if (next === undefined) this.#running -= 1
    else next[0]()
  }

  #turn(client: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        this.#waiting.delete(begin)
        this.#hold(client, 1)
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.delete(begin)
        reject(signal?.reason)
      }
      this.#waiting.set(begin, client)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
}
