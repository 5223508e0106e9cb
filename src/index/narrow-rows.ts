import type { Predicate } from '../catalog/query/plan.ts'
import type { BlockFile } from './blocks/block-file.ts'
import { BlockReading } from './blocks/block-reading.ts'
import { MatchingRows, type RowSpan } from './matching-rows.ts'
import { createRowTest, type RowTest } from './row-test.ts'
import { findKeyRange, searchRows } from './search-rows.ts'

/** A range of rows in a sorted file, found by search. Rows outside it do not satisfy the predicates. */
export interface NarrowedRows {
  readonly first: number
  readonly end: number
  /** Predicates that the sort order does not decide: rows must be compared with them. */
  readonly residual: readonly Predicate[]
  /** The matching rows of a span; undefined if a column of a predicate is not stored. */
  scan(span: RowSpan): MatchingRows | undefined
}

/** Narrows the rows of a file by its sort order. `likely` is the expected first row. Errors: DamagedFile. */
export function narrowRows(file: BlockFile, where: readonly Predicate[], likely?: number): NarrowedRows {
  const reading = new BlockReading(file)
  const range = findKeyRange(file, where)
  const [first, end] = searchRows(reading, range, likely)
  const { residual } = range
  let tests: readonly RowTest[] | undefined
  return {
    ...{ first, end, residual },
    scan(span) {
      tests ??= testsOf(reading, residual)
      return tests && new MatchingRows(reading, span, tests)
    },
  }
}

function testsOf(reading: BlockReading, where: readonly Predicate[]): readonly RowTest[] | undefined {
  const tests = where.flatMap((predicate) => createRowTest(reading, predicate) ?? [])
  return tests.length === where.length ? tests : undefined
}
