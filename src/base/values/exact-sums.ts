/** An integer: a double where that is exact, otherwise a bigint. */
export type Whole = number | bigint

const MOST = Number.MAX_SAFE_INTEGER
const MOST_BIGINT = BigInt(MOST)

/** Converts an integer to a double where that is exact. */
export function wholeOf(value: bigint): Whole {
  return value <= MOST_BIGINT && value >= -MOST_BIGINT ? Number(value) : value
}

export function addWholes(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    // A rounded sum is outside this range.
    if (sum <= MOST && sum >= -MOST) return sum
  }
  return wholeOf(BigInt(a) + BigInt(b))
}

const FIRST_ROOM = 64

/** Sums by index: doubles below 2^53, bigints above. */
export class ExactSums {
  #small = new Float64Array(FIRST_ROOM)
  readonly #large = new Map<number, bigint>()

  /** Returns the sum at an index; 0 by default. */
  at(index: number): Whole {
    return this.#largeAt(index) ?? this.#small[index] ?? 0
  }

  add(index: number, amount: Whole): void {
    if (index >= this.#small.length) this.#grow(index)
    const sum = addWholes(this.at(index), amount)
    if (typeof sum === 'number') {
      this.#small[index] = sum
      if (this.#large.size > 0) this.#large.delete(index)
    } else this.#large.set(index, sum)
  }

  #largeAt(index: number): bigint | undefined {
    return this.#large.size === 0 ? undefined : this.#large.get(index)
  }

  #grow(index: number): void {
    const grown = new Float64Array(Math.max(index + 1, 2 * this.#small.length))
    grown.set(this.#small)
    this.#small = grown
  }
}
