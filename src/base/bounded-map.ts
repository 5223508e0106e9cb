/** A map that forgets the key set first when it has more than `most` keys. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: K, value: V): this {
    super.set(key, value)
    if (this.size <= this.#most) return this
    const [oldest] = this.keys()
    if (oldest !== undefined) this.delete(oldest)
    return this
  }
}
