import type { Steps } from '../base/slices.ts'
import type { Predicate } from '../catalog/query/plan.ts'
import type { Row } from '../catalog/resource.ts'
import type { BlockFile } from './blocks/block-file.ts'
import { BlockReading } from './blocks/block-reading.ts'
import { type RowTest, rowTestOf } from './row-test.ts'
import { keyRangeOf, rowsBetween } from './sorted-rows.ts'

/** Rows that satisfy predicates, in the order of their list. Errors, of `read` too: DamagedFile. */
export interface FoundRows {
  readonly total: number
  /** Rows `start` up to but not including `end` of those found; undefined when a column is not stored. */
  read(start: number, end: number, columns: readonly string[]): readonly Row[] | undefined
}

export const noRows: FoundRows = { total: 0, read: () => [] }

/** Rows `first` up to but not including `end` of a file, and how many of them match where that is known without comparing them. */
export interface Piece {
  readonly first: number
  readonly end: number
  readonly matching: number | undefined
}

/** Where the rows of a file are that satisfy predicates, as far as its order decides. */
export interface NarrowedRows {
  readonly first: number
  readonly end: number
  /** Predicates that the order does not decide: rows have to be compared with them. */
  readonly further: readonly Predicate[]
  /** The rows of a piece; undefined where a column of a predicate is not stored. */
  within(piece: Piece): MatchingRows | undefined
}

/** Narrows rows by search, as far as the file is sorted by what is asked for. `likely` is the row that should be the first. Errors: DamagedFile. */
export function narrowRows(file: BlockFile, where: readonly Predicate[], likely?: number): NarrowedRows {
  const reading = new BlockReading(file)
  const range = keyRangeOf(file, where)
  const [first, end] = rowsBetween(reading, range, likely)
  const { further } = range
  let tests: readonly RowTest[] | undefined
  return {
    ...{ first, end, further },
    within(piece) {
      tests ??= testsOf(reading, further)
      return tests && new MatchingRows(reading, piece, tests)
    },
  }
}

function testsOf(reading: BlockReading, where: readonly Predicate[]): readonly RowTest[] | undefined {
  const tests = where.flatMap((predicate) => rowTestOf(reading, predicate) ?? [])
  return tests.length === where.length ? tests : undefined
}

/** Rows that are compared before others have their turn. */
const TURN_ROWS = 2048

/** The rows of a piece that pass tests. They are compared from the first on, as far as they are wanted. Errors: DamagedFile. */
export class MatchingRows implements FoundRows {
  readonly #reading: BlockReading
  readonly #piece: Piece
  readonly #tests: readonly RowTest[]
  readonly #found: number[] = []
  #next: number

  constructor(reading: BlockReading, piece: Piece, tests: readonly RowTest[]) {
    this.#reading = reading
    this.#piece = piece
    this.#tests = tests
    this.#next = piece.first
  }

  get rows(): number {
    return this.#piece.end - this.#piece.first
  }

  /** Undefined while rows have to be compared to know it. */
  get matching(): number | undefined {
    const { end, matching } = this.#piece
    if (this.#isCertain) return this.rows
    return matching ?? (this.#next === end ? this.#found.length : undefined)
  }

  get total(): number {
    return this.matching ?? 0
  }

  /** How many rows have to be compared to read any; 0 where all match. */
  get compared(): number {
    return this.#isCertain ? 0 : this.#piece.end - this.#next
  }

  /** Rows that are known to match so far. */
  get found(): number {
    return this.#isCertain ? this.rows : this.#found.length
  }

  /** Compares rows until so many are found. */
  *find(count: number): Steps<void> {
    while (this.found < count && this.#next < this.#piece.end) {
      this.#compare(Math.min(this.#piece.end, this.#next + TURN_ROWS))
      yield
    }
  }

  read(start: number, end: number, names: readonly string[]): readonly Row[] | undefined {
    const columns = names.map(this.#reading.file.numberOf)
    if (columns.includes(-1)) return undefined
    if (this.#isCertain) {
      const { first } = this.#piece
      return this.#reading.rows(columns, first + start, Math.min(this.#piece.end, first + end))
    }
    while (this.#found.length < end && this.#next < this.#piece.end)
      this.#compare(Math.min(this.#piece.end, this.#next + TURN_ROWS))
    return this.#found.slice(start, end).flatMap((row) => this.#reading.rows(columns, row, row + 1))
  }

  get #isCertain(): boolean {
    return this.#tests.length === 0 || this.#piece.matching === this.#piece.end - this.#piece.first
  }

  #compare(end: number): void {
    const tests = this.#tests
    const [only] = tests
    if (only !== undefined && tests.length === 1) {
      for (let row = this.#next; row < end; row += 1) if (only(row)) this.#found.push(row)
    } else {
      for (let row = this.#next; row < end; row += 1)
        if (tests.every((test) => test(row))) this.#found.push(row)
    }
    this.#next = end
  }
}
