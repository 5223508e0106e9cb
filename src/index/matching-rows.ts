import type { Steps } from '../base/slices.ts'
import type { Row } from '../catalog/resource.ts'
import type { BlockReading } from './blocks/block-reading.ts'
import type { RowTest } from './row-test.ts'

/** Rows that satisfy predicates, in list order. Errors, of `read` too: DamagedFile. */
export interface FoundRows {
  readonly total: number
  /** Reads matches `start` to `end`, without `end`; undefined if a column is not stored. */
  read(start: number, end: number, columns: readonly string[]): readonly Row[] | undefined
}

export const noRows: FoundRows = { total: 0, read: () => [] }

/** Rows `first` to `end` of a file, without `end`, and the number of matches if statistics decide it. */
export interface RowSpan {
  readonly first: number
  readonly end: number
  readonly matching: number | undefined
}

/** Rows that are compared before other requests run. */
const SLICE_ROWS = 2048

/** The rows of a span that pass all tests. Rows are compared lazily, from the first on. Errors: DamagedFile. */
export class MatchingRows implements FoundRows {
  readonly #reading: BlockReading
  readonly #span: RowSpan
  readonly #tests: readonly RowTest[]
  readonly #matches: number[] = []
  readonly #doAllMatch: boolean
  #next: number

  constructor(reading: BlockReading, span: RowSpan, tests: readonly RowTest[]) {
    this.#reading = reading
    this.#span = span
    this.#tests = tests
    this.#doAllMatch = tests.length === 0 || span.matching === span.end - span.first
    this.#next = span.first
  }

  get rows(): number {
    return this.#span.end - this.#span.first
  }

  /** The number of matches; undefined until all rows are compared. */
  get matching(): number | undefined {
    const { end, matching } = this.#span
    if (this.#doAllMatch) return this.rows
    return matching ?? (this.#next === end ? this.#matches.length : undefined)
  }

  get total(): number {
    return this.matching ?? 0
  }

  /** Rows still to compare; 0 if all rows match. */
  get compared(): number {
    return this.#doAllMatch ? 0 : this.#span.end - this.#next
  }

  /** The number of matches so far. */
  get found(): number {
    return this.#doAllMatch ? this.rows : this.#matches.length
  }

  /** Compares rows until there are `count` matches. */
  *find(count: number): Steps<void> {
    while (this.found < count && this.#next < this.#span.end) {
      this.#compareSlice()
      yield
    }
  }

  read(start: number, end: number, names: readonly string[]): readonly Row[] | undefined {
    const columns = names.map(this.#reading.file.numberOf)
    if (columns.includes(-1)) return undefined
    if (this.#doAllMatch) {
      const { first } = this.#span
      return this.#reading.rows(columns, first + start, Math.min(this.#span.end, first + end))
    }
    while (this.#matches.length < end && this.#next < this.#span.end) this.#compareSlice()
    return this.#matches.slice(start, end).flatMap((row) => this.#reading.rows(columns, row, row + 1))
  }

  #compareSlice(): void {
    const tests = this.#tests
    const [test] = tests
    const end = Math.min(this.#span.end, this.#next + SLICE_ROWS)
    if (test !== undefined && tests.length === 1) {
      for (let row = this.#next; row < end; row += 1) if (test(row)) this.#matches.push(row)
    } else {
      for (let row = this.#next; row < end; row += 1)
        if (tests.every((passes) => passes(row))) this.#matches.push(row)
    }
    this.#next = end
  }
}
