import type { Steps } from '../../base/slices.ts'
import { addWholes, ExactSums, type Whole, wholeOf } from '../../base/values/exact-sums.ts'
import { decimalsOf, type SeriesRow, USD_DECIMALS } from '../../catalog/records/series-record.ts'
import { type GroupNames, noNames } from './series-names.ts'

/** Rows per slice of the event loop. */
const ROWS_AT_ONCE = 4096

/** The first day of a step, and a token. */
export type SeriesStep = Pick<SeriesRow, 'start' | 'token'>

/** USD per unit of a token, in 10^-16 USD; null if token or price is unknown. */
export function rateOf(token: string | null, price: bigint | null): Whole | null {
  const decimals = decimalsOf(token)
  if (decimals === undefined || price === null) return null
  return wholeOf(price * 10n ** BigInt(USD_DECIMALS - 2 * decimals))
}

/** Values of a row's rate number that are not a rate. */
const NOTHING_EARNED = -1
const UNKNOWN_RATE = -2
const SEVERAL_RATES = -3

/** Rows of a series in columns: an object with bigints per row takes several times longer to allocate and collect. */
export class SeriesColumns {
  readonly width: number
  readonly #earned: readonly number[]
  readonly #sums = new ExactSums()
  readonly #usd = new Map<number, bigint>()
  readonly #steps: SeriesStep[] = []
  readonly #groups: (string | null)[] = []
  readonly #groupNumbers = new Map<string | null, number>()
  readonly #groupOf: number[] = []
  readonly #rates: (Whole | null)[] = []
  readonly #rateNumbers = new Map<Whole | null, number>()
  readonly #rateOf: number[] = []

  /** `earned` are the indexes of the sums that add up to the earnings. */
  constructor(width: number, earned: readonly number[]) {
    this.width = width
    this.#earned = earned
  }

  get length(): number {
    return this.#steps.length
  }

  numberOf(rate: Whole | null): number {
    if (rate === null) return UNKNOWN_RATE
    let number = this.#rateNumbers.get(rate)
    if (number === undefined) {
      number = this.#rates.push(rate) - 1
      this.#rateNumbers.set(rate, number)
    }
    return number
  }

  numberOfGroup(group: string | null): number {
    let number = this.#groupNumbers.get(group)
    if (number === undefined) {
      number = this.#groups.push(group) - 1
      this.#groupNumbers.set(group, number)
    }
    return number
  }

  /** Appends a row and returns its number. */
  begin(step: SeriesStep, group: number): number {
    this.#groupOf.push(group)
    this.#rateOf.push(NOTHING_EARNED)
    return this.#steps.push(step) - 1
  }

  /** Adds sums to a row, earned at a rate. */
  add(row: number, sums: ArrayLike<Whole>, rate: number): void {
    let earned: Whole = 0
    for (const index of this.#earned) earned = addWholes(earned, sums[index] ?? 0)
    if (earned > 0 && this.#rateOf[row] !== rate) this.#change(row, earned, rate)
    else if (earned > 0 && rate === SEVERAL_RATES) this.#change(row, earned, rate)
    for (let index = 0; index < this.width; index += 1) {
      const sum = sums[index] ?? 0
      if (sum !== 0) this.#sums.add(row * this.width + index, sum)
    }
  }

  /** Converts a row to USD once its rates differ. */
  #change(row: number, earned: Whole, rate: number): void {
    const before = this.#rateOf[row] ?? NOTHING_EARNED
    if (before === UNKNOWN_RATE) return
    if (before === NOTHING_EARNED || rate === UNKNOWN_RATE) {
      this.#rateOf[row] = rate
      return
    }
    const usd = this.usdOf(row) ?? 0
    this.#usd.set(row, BigInt(usd) + BigInt(earned) * BigInt(this.#rates[rate] ?? 0))
    this.#rateOf[row] = SEVERAL_RATES
  }

  stepOf(row: number): SeriesStep {
    return this.#steps[row] ?? { start: null, token: null }
  }

  groupOf(row: number): number {
    return this.#groupOf[row] ?? 0
  }

  nameOfGroup(group: number): string | null {
    return this.#groups[group] ?? null
  }

  sumOf(row: number, index: number): Whole {
    return this.#sums.at(row * this.width + index)
  }

  earnedOf(row: number): Whole {
    let earned: Whole = 0
    for (const index of this.#earned) earned = addWholes(earned, this.sumOf(row, index))
    return earned
  }

  /** The single rate of a row; undefined for none or several. */
  onlyRateOf(row: number): Whole | undefined {
    return this.#rates[this.#rateOf[row] ?? NOTHING_EARNED] ?? undefined
  }

  /** Units of 10^-16 USD; null if something was earned at an unknown price. */
  usdOf(row: number): Whole | null {
    const rate = this.#rateOf[row] ?? NOTHING_EARNED
    if (rate === UNKNOWN_RATE) return null
    if (rate === NOTHING_EARNED) return 0
    const several = this.#usd.get(row)
    return several ?? BigInt(this.earnedOf(row)) * BigInt(this.#rates[rate] ?? 0)
  }
}

export class SeriesRows implements Iterable<SeriesRow> {
  readonly columns: SeriesColumns
  /** Row numbers. */
  readonly order: readonly number[]
  readonly names: GroupNames

  constructor(columns: SeriesColumns, order: readonly number[], names = noNames) {
    this.columns = columns
    this.order = order
    this.names = names
  }

  /** Distinct groups of the rows, except null. */
  *groups(): Steps<readonly string[]> {
    const numbers = new Set<number>()
    for (const [index, row] of this.order.entries()) {
      if (index % ROWS_AT_ONCE === 0) yield
      numbers.add(this.columns.groupOf(row))
    }
    return [...numbers].flatMap((group) => this.columns.nameOfGroup(group) ?? [])
  }

  get length(): number {
    return this.order.length
  }

  at(index: number): SeriesRow {
    const { columns } = this
    const row = this.order[index]
    if (row === undefined) throw new Error(`row ${index} of ${this.length} was asked for`)
    const usd = columns.usdOf(row)
    const group = columns.nameOfGroup(columns.groupOf(row))
    return {
      ...columns.stepOf(row),
      group,
      name: this.names.get(group ?? '') ?? null,
      sums: Array.from({ length: columns.width }, (_, member) => BigInt(columns.sumOf(row, member))),
      earned: BigInt(columns.earnedOf(row)),
      usd: usd === null ? null : BigInt(usd),
    }
  }

  *[Symbol.iterator](): Iterator<SeriesRow> {
    for (let index = 0; index < this.length; index += 1) yield this.at(index)
  }
}
