import type { RowRange } from './plan.ts'

/** Drops empty ranges and joins adjacent ones, so that most pages read one range of one file. */
export function joinRanges(ranges: readonly RowRange[]): readonly RowRange[] {
  const joined: RowRange[] = []
  for (const { file, first, end } of ranges) {
    const last = joined.at(-1)
    if (first === end) continue
    if (last?.file === file && last.end === first) joined[joined.length - 1] = { ...last, end }
    else joined.push({ file, first, end })
  }
  return joined
}
