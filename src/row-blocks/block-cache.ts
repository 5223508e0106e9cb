/** What was read and unpacked last, within a bound of memory; what was not used for longest goes first. */
export class BlockCache {
  readonly #mostBytes: number
  readonly #kept = new Map<string, { readonly value: unknown; readonly bytes: number }>()
  #bytes = 0
  #files = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** A short name for a file that is opened, which no other one has. */
  nameFile(): string {
    this.#files += 1
    return this.#files.toString(36)
  }

  /** Gives what is kept under a key, or what `read` gives, of which `bytesOf` says about how much memory it takes. */
  of<T>(key: string, read: () => T, bytesOf: (value: T) => number): T {
    const known = this.#kept.get(key)
    if (known !== undefined) {
      // A map keeps the order in which its keys were set.
      this.#kept.delete(key)
      this.#kept.set(key, known)
      return known.value as T
    }
    const value = read()
    const bytes = bytesOf(value)
    this.#kept.set(key, { value, bytes })
    this.#bytes += bytes
    for (const [oldest, one] of this.#kept) {
      if (this.#bytes <= this.#mostBytes) break
      this.#kept.delete(oldest)
      this.#bytes -= one.bytes
    }
    return value
  }
}
