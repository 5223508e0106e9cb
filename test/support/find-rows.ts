import { runAtOnce } from '../../src/base/slices.ts'
import type { Predicate } from '../../src/catalog/query/plan.ts'
import type { BlockFile } from '../../src/index/blocks/block-file.ts'
import type { MatchingRows } from '../../src/index/matching-rows.ts'
import { NarrowedRows } from '../../src/index/narrow-rows.ts'

/** All rows of a file that satisfy predicates, compared at once; undefined where a column is not stored. */
export function findRows(
  file: BlockFile,
  where: readonly Predicate[],
  likely?: number,
): MatchingRows | undefined {
  const narrowed = new NarrowedRows(file, where, likely)
  const rows = narrowed.scan({ first: narrowed.first, end: narrowed.end, matching: undefined })
  if (rows !== undefined) runAtOnce(rows.find(Number.POSITIVE_INFINITY))
  return rows
}
