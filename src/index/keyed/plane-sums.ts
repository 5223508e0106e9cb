import { MOST_NUMBER, openPlanes, type PlaneColumn, type SumsOfKeys, visitExceptions } from './plane.ts'

/** Sums of columns by hotspot. Doubles hold whole numbers below 2^53 exactly; larger sums are bigints. */
export class Sums {
  readonly hotspots: number
  /** Sum plus the number of columns with a value (`#rows`), for each hotspot. */
  readonly #added: Float64Array
  readonly #rows: Uint32Array
  readonly #large = new Map<number, bigint>()

  constructor(hotspots: number) {
    this.hotspots = hotspots
    this.#added = new Float64Array(hotspots)
    this.#rows = new Uint32Array(hotspots)
  }

  add(column: PlaneColumn): void {
    const { planes, exceptions } = openPlanes(column, this.hotspots)
    visitExceptions(exceptions, (index, sum) => this.#addOne(index, sum))
    const [low, high] = planes
    if (low === undefined) return
    const [added, rows] = [this.#added, this.#rows]
    if (high === undefined) {
      for (let index = 0; index < added.length; index += 1) {
        const number = low[index] ?? 0
        if (number === 0) continue
        added[index] = (added[index] ?? 0) + number
        rows[index] = (rows[index] ?? 0) + 1
      }
      return
    }
    const unit = 256 ** low.BYTES_PER_ELEMENT
    for (let index = 0; index < added.length; index += 1) {
      const number = (low[index] ?? 0) + (high[index] ?? 0) * unit
      if (number === 0) continue
      added[index] = (added[index] ?? 0) + number
      rows[index] = (rows[index] ?? 0) + 1
    }
  }

  /** Returns the sums with other hotspot numbers. `numbers` has the new number of each hotspot. */
  renumbered(hotspots: number, numbers: Uint32Array): Sums {
    const moved = new Sums(hotspots)
    moved.addSums(this, numbers)
    return moved
  }

  /** Adds sums whose hotspots have other numbers; `numbers` has the number here of each. */
  addSums(more: Sums, numbers: Uint32Array): void {
    for (let index = 0; index < more.hotspots; index += 1) {
      const rows = more.#rows[index] ?? 0
      if (rows === 0) continue
      const target = numbers[index] ?? 0
      this.#added[target] = (this.#added[target] ?? 0) + (more.#added[index] ?? 0)
      this.#rows[target] = (this.#rows[target] ?? 0) + rows
    }
    for (const [index, sum] of more.#large) this.#addLarge(numbers[index] ?? 0, sum)
  }

  /** Undefined for a hotspot without rows. */
  sumOf(index: number): bigint | undefined {
    const rows = this.#rows[index] ?? 0
    const large = this.#large.get(index)
    if (rows === 0) return large
    return BigInt((this.#added[index] ?? 0) - rows) + (large ?? 0n)
  }

  /** Returns the hotspots with rows; with `limit` at least the `limit` greatest, ties included. */
  greatest(limit: number | undefined): readonly number[] {
    const least = limit === undefined ? 0 : this.#reachedBy(limit)
    const larger: number[] = []
    for (let index = 0; index < this.hotspots; index += 1) {
      const rows = this.#rows[index] ?? 0
      const isSmall = rows > 0 && (this.#added[index] ?? 0) - rows >= least
      if (isSmall || this.#large.has(index)) larger.push(index)
    }
    return larger
  }

  /** Returns the least sum of the `limit` greatest, without the bigint sums. */
  #reachedBy(limit: number): number {
    let least = -1
    let kept: number[] = []
    const cut = () => {
      kept = kept.sort((a, b) => b - a).slice(0, limit)
      if (kept.length === limit) least = kept.at(-1) ?? least
    }
    for (let index = 0; index < this.hotspots; index += 1) {
      const rows = this.#rows[index] ?? 0
      const sum = (this.#added[index] ?? 0) - rows
      if (rows === 0 || sum <= least) continue
      kept.push(sum)
      if (kept.length >= 2 * limit) cut()
    }
    cut()
    return Math.max(least, 0)
  }

  #addOne(index: number, sum: bigint): void {
    if (sum >= MOST_NUMBER) {
      this.#addLarge(index, sum)
      return
    }
    this.#added[index] = (this.#added[index] ?? 0) + Number(sum) + 1
    this.#rows[index] = (this.#rows[index] ?? 0) + 1
  }

  #addLarge(index: number, sum: bigint): void {
    this.#large.set(index, (this.#large.get(index) ?? 0n) + sum)
  }

  /** Returns the sum over all hotspots. */
  total(): bigint {
    let total = 0n
    for (let index = 0; index < this.hotspots; index += 1) total += this.sumOf(index) ?? 0n
    return total
  }

  /** Returns all sums for `packColumn`. */
  all(): SumsOfKeys {
    const numbers = new Float64Array(this.hotspots)
    const large = new Map<number, bigint>()
    for (let index = 0; index < this.hotspots; index += 1) {
      const sum = this.sumOf(index)
      if (sum === undefined) continue
      numbers[index] = sum < MOST_NUMBER ? Number(sum) + 1 : Number.POSITIVE_INFINITY
      if (sum >= MOST_NUMBER) large.set(index, sum)
    }
    return { numbers, large }
  }
}
