interface Kept<T> {
  readonly value: T
  readonly bytes: number
  readonly list: KeptList<T>
  readonly at: number
  wasUsed: boolean
}

/** The cached ones of numbered things, such as the blocks of a file. */
export type KeptList<T> = (Kept<T> | undefined)[]

/**
 * Caches unpacked blocks and texts within a bound of memory. A clock hand goes round the entries and removes the first that was not used
 * since it last came by, so a cache hit moves nothing.
 */
export class BlockCache {
  readonly #mostBytes: number
  readonly #kept: Kept<unknown>[] = []
  #hand = 0
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Gives what a list keeps at a place, or what `read` gives, of which `bytesOf` says about how much memory it takes. */
  of<T>(
    list: KeptList<T>,
    at: number,
    read: (at: number) => T,
    bytesOf: (value: T, at: number) => number,
  ): T {
    const kept = list[at]
    if (kept !== undefined) {
      kept.wasUsed = true
      return kept.value
    }
    const value = read(at)
    const bytes = bytesOf(value, at)
    while (this.#kept.length > 0 && this.#bytes + bytes > this.#mostBytes) this.#moveHand()
    if (bytes <= this.#mostBytes) this.#keep({ value, bytes, list, at, wasUsed: false })
    return value
  }

  #keep<T>(one: Kept<T>): void {
    one.list[one.at] = one
    this.#kept.push(one as Kept<unknown>)
    this.#bytes += one.bytes
  }

  #moveHand(): void {
    const index = this.#hand
    const one = this.#kept[index] as Kept<unknown>
    if (one.wasUsed) one.wasUsed = false
    else {
      one.list[one.at] = undefined
      this.#bytes -= one.bytes
      const last = this.#kept.pop() as Kept<unknown>
      if (last !== one) this.#kept[index] = last
    }
    this.#hand = index + 1 < this.#kept.length ? index + 1 : 0
  }
}
