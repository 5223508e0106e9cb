import type { Predicate, RowRange } from '../query/plan.ts'
import type { Bound, Chunk, ChunkedFile } from './chunk.ts'
import { compareBounds, rowsMatching } from './chunk-match.ts'
import { joinRanges } from './join-ranges.ts'

/** A chunk and its file. */
interface PlacedChunk {
  readonly file: string
  readonly chunk: Chunk
}

/** A chunk with rows that can match. */
export interface Candidate extends PlacedChunk {
  /** How many match; undefined when the log does not say. */
  readonly matching: number | undefined
}

/** Candidates whose rows come before those of every later stretch; within one of several files they interleave. */
export type Stretch = readonly Candidate[]

const sorted = new WeakMap<readonly ChunkedFile[], Map<string, readonly PlacedChunk[]>>()

/** All chunks of files by their least value of a column, those of one file as they lie in it; sorted once. */
export function chunksBy(files: readonly ChunkedFile[], column: string): readonly PlacedChunk[] {
  const byColumn = sorted.get(files) ?? new Map<string, readonly PlacedChunk[]>()
  sorted.set(files, byColumn)
  let chunks = byColumn.get(column)
  if (chunks === undefined) {
    const leastOf = ({ chunk }: PlacedChunk) => chunk.bounds[column]?.[0]
    chunks = [...chunksOf(files)].sort((a, b) => {
      if (a.file === b.file) return a.chunk.first - b.chunk.first
      const [least, other] = [leastOf(a), leastOf(b)]
      const difference = least === undefined || other === undefined ? 0 : compareBounds(least, other)
      return difference || compareBounds(a.file, b.file)
    })
    byColumn.set(column, chunks)
  }
  return chunks
}

/** All chunks of files that follow each other. */
export function chunksOf(files: readonly ChunkedFile[]): readonly PlacedChunk[] {
  return files.flatMap(({ path, chunks }) => chunks.map((chunk) => ({ file: path, chunk })))
}

/** The chunks that can have rows that match, in the order given. */
export function candidatesOf(
  chunks: readonly PlacedChunk[],
  where: readonly Predicate[],
): readonly Candidate[] {
  const candidates: Candidate[] = []
  for (const { file, chunk } of chunks) {
    const matching = rowsMatching(chunk, where)
    if (matching !== 0) candidates.push({ file, chunk, matching })
  }
  return candidates
}

interface Bounded extends Candidate {
  readonly least: Bound
  readonly most: Bound
}

/**
 * Candidates in the order of `chunksBy` a leading column, as stretches that follow each other. Two chunks of one file
 * never interleave; chunks of different files do where they share values of the leading column.
 */
export function stretchesOf(candidates: readonly Candidate[], leading: string): readonly Stretch[] {
  const bounded: Bounded[] = []
  for (const { file, chunk, matching } of candidates) {
    const bounds = chunk.bounds[leading]
    if (bounds === undefined) return [candidates]
    bounded.push({ file, chunk, matching, least: bounds[0], most: bounds[1] })
  }
  return cut(bounded)
}

/** Starts a new stretch wherever no earlier chunk overlaps a later chunk of another file. */
function cut(ordered: readonly Bounded[]): readonly Stretch[] {
  const stretches: Bounded[][] = []
  const otherFrom = nextOfAnotherFile(ordered)
  let highest: Bounded | undefined
  let highestOfOthers: Bounded | undefined
  for (const [index, next] of ordered.entries()) {
    const isCut =
      highest !== undefined &&
      (next.file === highest.file
        ? isBeyond(highestOfOthers, next) && isBeyond(highest, otherFrom[index])
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

/** For each chunk, the next one that is in another file. */
function nextOfAnotherFile(sorted: readonly Bounded[]): readonly (Bounded | undefined)[] {
  const next = new Array<Bounded | undefined>(sorted.length)
  for (let index = sorted.length - 2; index >= 0; index -= 1) {
    const isSame = sorted[index]?.file === sorted[index + 1]?.file
    next[index] = isSame ? next[index + 1] : sorted[index + 1]
  }
  return next
}

/** The rows of candidates, those that follow each other in a file as one range. */
export function rangesOf(candidates: readonly Candidate[]): readonly RowRange[] {
  return joinRanges(
    candidates.map(({ file, chunk: { first, rows } }) => ({ file, first, end: first + rows })),
  )
}
