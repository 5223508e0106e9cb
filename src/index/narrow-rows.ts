import type { Predicate } from '../catalog/query/plan.ts'
import type { BlockFile } from './blocks/block-file.ts'
import { BlockReading } from './blocks/block-reading.ts'
import { MatchingRows, type RowSpan } from './matching-rows.ts'
import { createRowTest, type RowTest } from './row-test.ts'
import { findKeyRange, searchRows } from './search-rows.ts'

/** A range of rows in a sorted file, found by search. Rows outside it do not satisfy the predicates. */
export class NarrowedRows {
  readonly first: number
  readonly end: number
  /** Predicates that the sort order does not decide: rows must be compared with them. */
  readonly residual: readonly Predicate[]
  readonly #reading: BlockReading
  #tests: readonly RowTest[] | undefined

  /** `likely` is the expected first row. Errors: DamagedFile. */
  constructor(file: BlockFile, where: readonly Predicate[], likely?: number) {
    this.#reading = new BlockReading(file)
    const range = findKeyRange(file, where)
    const [first, end] = searchRows(this.#reading, range, likely)
    this.first = first
    this.end = end
    this.residual = range.residual
  }

  /** The matching rows of a span, by default of the range; undefined if a column of a predicate is not stored. */
  scan(span: RowSpan = { first: this.first, end: this.end, matching: undefined }): MatchingRows | undefined {
    this.#tests ??= testsOf(this.#reading, this.residual)
    return this.#tests && new MatchingRows(this.#reading, span, this.#tests)
  }
}

function testsOf(reading: BlockReading, where: readonly Predicate[]): readonly RowTest[] | undefined {
  const tests = where.flatMap((predicate) => createRowTest(reading, predicate) ?? [])
  return tests.length === where.length ? tests : undefined
}
