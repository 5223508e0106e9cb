/** A whole number of any size: a double where that is exact, otherwise a bigint. */
export type Whole = number | bigint

const MOST = Number.MAX_SAFE_INTEGER
const MOST_BIGINT = BigInt(MOST)

/** The same number as a double where that is exact. */
export function wholeOf(value: bigint): Whole {
  return value <= MOST_BIGINT && value >= -MOST_BIGINT ? Number(value) : value
}

export function addWholes(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    // A sum that had to be rounded is beyond these.
    if (sum <= MOST && sum >= -MOST) return sum
  }
  return wholeOf(BigInt(a) + BigInt(b))
}

const FIRST_ROOM = 64

/** Sums by their places. Doubles hold those below 2^53, which are exact; larger ones are bigints beside them. */
export class ExactSums {
  #small = new Float64Array(FIRST_ROOM)
  readonly #large = new Map<number, bigint>()

  /** A place that nothing was added to has 0. */
  at(place: number): Whole {
    return this.#largeAt(place) ?? this.#small[place] ?? 0
  }

  add(place: number, amount: Whole): void {
    if (place >= this.#small.length) this.#grow(place)
    const sum = addWholes(this.at(place), amount)
    if (typeof sum === 'number') {
      this.#small[place] = sum
      if (this.#large.size > 0) this.#large.delete(place)
    } else this.#large.set(place, sum)
  }

  #largeAt(place: number): bigint | undefined {
    return this.#large.size === 0 ? undefined : this.#large.get(place)
  }

  #grow(place: number): void {
    const grown = new Float64Array(Math.max(place + 1, 2 * this.#small.length))
    grown.set(this.#small)
    this.#small = grown
  }
}
