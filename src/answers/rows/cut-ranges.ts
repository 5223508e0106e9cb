import type { RowRange } from '../../catalog/query/plan.ts'

/** Skips `offset` rows and keeps at most `limit`. */
export function cutRanges(ranges: readonly RowRange[], offset: number, limit: number): readonly RowRange[] {
  const cut: RowRange[] = []
  let [skip, remaining] = [offset, limit]
  for (const { file, first, end } of ranges) {
    const from = Math.min(end, first + skip)
    const to = Math.min(end, from + remaining)
    if (to > from) cut.push({ file, first: from, end: to })
    skip -= from - first
    remaining -= to - from
  }
  return cut
}
