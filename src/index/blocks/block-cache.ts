interface CacheEntry<T> {
  readonly value: T
  readonly bytes: number
  readonly slots: CacheSlots<T>
  readonly index: number
  wasUsed: boolean
}

/** Cache entries of numbered items, such as the blocks of a file. */
export type CacheSlots<T> = (CacheEntry<T> | undefined)[]

/**
 * Caches unpacked blocks and texts within a bound of memory. A clock hand removes the first entry that was not used since it last
 * passed, so a cache hit moves nothing.
 */
export class BlockCache {
  readonly #mostBytes: number
  readonly #entries: CacheEntry<unknown>[] = []
  #hand = 0
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Returns a cached item, or the result of `read`. `bytesOf` estimates its memory. */
  get<T>(
    slots: CacheSlots<T>,
    index: number,
    read: (index: number) => T,
    bytesOf: (value: T, index: number) => number,
  ): T {
    const cached = slots[index]
    if (cached !== undefined) {
      cached.wasUsed = true
      return cached.value
    }
    const value = read(index)
    const bytes = bytesOf(value, index)
    while (this.#entries.length > 0 && this.#bytes + bytes > this.#mostBytes) this.#moveHand()
    if (bytes <= this.#mostBytes) {
      const entry = { value, bytes, slots, index, wasUsed: false }
      slots[index] = entry
      this.#entries.push(entry)
      this.#bytes += bytes
    }
    return value
  }

  #moveHand(): void {
    const position = this.#hand
    const entry = this.#entries[position]
    if (entry?.wasUsed) entry.wasUsed = false
    else if (entry !== undefined) {
      entry.slots[entry.index] = undefined
      this.#bytes -= entry.bytes
      const last = this.#entries.pop()
      if (last !== undefined && last !== entry) this.#entries[position] = last
    }
    this.#hand = position + 1 < this.#entries.length ? position + 1 : 0
  }
}
