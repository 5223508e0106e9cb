import type { Predicate, RowRange } from '../query/plan.ts'
import type { Bound, Chunk, ChunkedFile } from './chunk.ts'
import { compareBounds, rowsMatching } from './chunk-match.ts'

/** A chunk with rows that can match. */
export interface Candidate {
  readonly file: string
  readonly chunk: Chunk
  /** How many match; undefined when the log does not tell. */
  readonly matching: number | undefined
}

/** Candidates whose rows come before those of every later stretch; within one of several files they interleave. */
export type Stretch = readonly Candidate[]

export function candidatesOf(
  files: readonly ChunkedFile[],
  where: readonly Predicate[],
): readonly Candidate[] {
  return files.flatMap(({ path, chunks }) =>
    chunks.flatMap((chunk): readonly Candidate[] => {
      const matching = rowsMatching(chunk, where)
      return matching === 0 ? [] : [{ file: path, chunk, matching }]
    }),
  )
}

interface Bounded extends Candidate {
  readonly least: Bound
  readonly most: Bound
}

/**
 * Candidates of files that are sorted by a leading column, as stretches that follow each other. Two chunks of one file
 * never interleave; chunks of different files do where they share values of the leading column.
 */
export function stretchesOf(candidates: readonly Candidate[], leading: string): readonly Stretch[] {
  const bounded = candidates.flatMap((candidate): readonly Bounded[] => {
    const bounds = candidate.chunk.bounds[leading]
    return bounds === undefined ? [] : [{ ...candidate, least: bounds[0], most: bounds[1] }]
  })
  if (bounded.length < candidates.length) return [candidates]
  const sorted = [...bounded].sort(
    (a, b) =>
      compareBounds(a.least, b.least) ||
      (a.file === b.file ? a.chunk.first - b.chunk.first : compareBounds(a.file, b.file)),
  )
  return cut(sorted)
}

/** Cuts before every chunk where no chunk before shares a value with one from there on in another file. */
function cut(sorted: readonly Bounded[]): readonly Stretch[] {
  const stretches: Bounded[][] = []
  const otherFrom = nextOfAnotherFile(sorted)
  let highest: Bounded | undefined
  let highestOfOthers: Bounded | undefined
  for (const [index, next] of sorted.entries()) {
    const isCut =
      highest !== undefined &&
      (next.file === highest.file
        ? isBeyond(highestOfOthers, next) && isBeyond(highest, sorted[otherFrom[index] ?? sorted.length])
        : isBeyond(highest, next))
    if (isCut || highest === undefined) stretches.push([])
    stretches.at(-1)?.push(next)
    if (highest === undefined || !isBelow(next, highest)) {
      if (highest !== undefined && highest.file !== next.file) highestOfOthers = highest
      highest = next
    } else if (
      next.file !== highest.file &&
      (highestOfOthers === undefined || !isBelow(next, highestOfOthers))
    ) {
      highestOfOthers = next
    }
  }
  return stretches
}

function isBelow(a: Bounded, b: Bounded): boolean {
  return compareBounds(a.most, b.most) < 0
}

/** Whether `next` begins after the last value of `before`; nothing is beyond anything. */
function isBeyond(before: Bounded | undefined, next: Bounded | undefined): boolean {
  return before === undefined || next === undefined || compareBounds(next.least, before.most) > 0
}

/** For each place the first place from it on with another file. */
function nextOfAnotherFile(sorted: readonly Bounded[]): readonly number[] {
  const next = new Array<number>(sorted.length).fill(sorted.length)
  for (let index = sorted.length - 2; index >= 0; index -= 1) {
    const isSame = sorted[index]?.file === sorted[index + 1]?.file
    next[index] = isSame ? (next[index + 1] ?? sorted.length) : index + 1
  }
  return next
}

/** The rows of candidates, those that follow each other in a file as one range. */
export function rangesOf(candidates: readonly Candidate[]): readonly RowRange[] {
  const ranges: RowRange[] = []
  for (const { file, chunk } of candidates) {
    const last = ranges.at(-1)
    const end = chunk.first + chunk.rows
    if (last?.file === file && last.end === chunk.first) ranges[ranges.length - 1] = { ...last, end }
    else ranges.push({ file, first: chunk.first, end })
  }
  return ranges
}
