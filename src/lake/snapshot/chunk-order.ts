import { firstIndex } from '../../base/values/first-index.ts'
import { itemAt } from '../../base/values/item-at.ts'
import { joinRanges } from '../../catalog/query/join-ranges.ts'
import type { Predicate, RowRange } from '../../catalog/query/plan.ts'
import type { Bound, Chunk, ChunkedFile } from '../facts/chunk.ts'
import { compareBounds, rowsMatching } from '../facts/chunk-match.ts'

/** A chunk or a part of one that may have matching rows. */
export interface Candidate {
  readonly file: string
  readonly chunk: Chunk
  /** Number of matching rows; undefined when the log does not say. */
  readonly matching: number | undefined
}

/** Candidates whose rows precede those of every later stretch. Within a stretch, rows of several files interleave. */
export type Stretch = readonly Candidate[]

export interface CountedFile extends ChunkedFile {
  readonly rows: number
}

/** Returns rows `first` up to but not including `end` of a file, without the chunks that cannot match. */
export function candidatesWithin(
  { path: file, rows, chunks }: CountedFile,
  where: readonly Predicate[],
  first = 0,
  end = rows,
): readonly Candidate[] {
  const last = chunks.at(-1)
  if (last === undefined || last.first + last.rows !== rows)
    return [{ file, chunk: { first, rows: end - first, bounds: {}, counts: {} }, matching: undefined }]
  const candidates: Candidate[] = []
  const from = firstIndex(chunks.length, (index) => endOf(itemAt(chunks, index)) > first)
  for (let index = from; index < chunks.length; index += 1) {
    const chunk = itemAt(chunks, index)
    if (chunk.first >= end) break
    const matching = rowsMatching(chunk, where)
    if (matching === 0) continue
    const part = partOf(chunk, Math.max(first, chunk.first), Math.min(end, endOf(chunk)))
    if (part === chunk) candidates.push({ file, chunk, matching })
    else candidates.push({ file, chunk: part, matching: matching === chunk.rows ? part.rows : undefined })
  }
  return candidates
}

const endOf = ({ first, rows }: Chunk) => first + rows

/** Bounds of a chunk hold for its parts; counts do not. */
function partOf(chunk: Chunk, first: number, end: number): Chunk {
  if (end - first === chunk.rows) return chunk
  return { first, rows: end - first, bounds: chunk.bounds, counts: {} }
}

/** Sorts candidates of one file by row, and of several files by the minimum of a column. */
function sortCandidates(candidates: readonly Candidate[], column: string): readonly Candidate[] {
  const leastOf = ({ chunk }: Candidate) => chunk.bounds[column]?.[0]
  return [...candidates].sort((a, b) => {
    if (a.file === b.file) return a.chunk.first - b.chunk.first
    const [leastOfA, leastOfB] = [leastOf(a), leastOf(b)]
    const difference =
      leastOfA === undefined || leastOfB === undefined ? 0 : compareBounds(leastOfA, leastOfB)
    return difference || compareBounds(a.file, b.file)
  })
}

interface Bounded extends Candidate {
  readonly least: Bound
  readonly most: Bound
}

/**
 * Groups candidates into stretches in the order of a table, which begins with the column `leading`. Chunks of one file
 * never interleave; chunks of different files do if they share values of that column.
 */
export function stretchesOf(candidates: readonly Candidate[], leading: string): readonly Stretch[] {
  const [first] = candidates
  if (candidates.every(({ file }) => file === first?.file)) return candidates.map((candidate) => [candidate])
  const bounded: Bounded[] = []
  for (const { file, chunk, matching } of sortCandidates(candidates, leading)) {
    const bounds = chunk.bounds[leading]
    if (bounds === undefined) return [candidates]
    bounded.push({ file, chunk, matching, least: bounds[0], most: bounds[1] })
  }
  return cut(bounded)
}

/** Starts a new stretch wherever no earlier chunk overlaps a later chunk of another file. */
function cut(ordered: readonly Bounded[]): readonly Stretch[] {
  const stretches: Bounded[][] = []
  const nextElsewhere = nextOfAnotherFile(ordered)
  let highest: Bounded | undefined
  let highestOfOthers: Bounded | undefined
  for (const [index, next] of ordered.entries()) {
    const isCut =
      highest !== undefined &&
      (next.file === highest.file
        ? isBeyond(highestOfOthers, next) && isBeyond(highest, nextElsewhere[index])
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

/** Checks that `next` begins after the last value of `before`; true if either is undefined. */
function isBeyond(before: Bounded | undefined, next: Bounded | undefined): boolean {
  return before === undefined || next === undefined || compareBounds(next.least, before.most) > 0
}

/** Finds for each chunk the next chunk of another file. */
function nextOfAnotherFile(sorted: readonly Bounded[]): readonly (Bounded | undefined)[] {
  const next = new Array<Bounded | undefined>(sorted.length)
  for (let index = sorted.length - 2; index >= 0; index -= 1) {
    const isSame = sorted[index]?.file === sorted[index + 1]?.file
    next[index] = isSame ? next[index + 1] : sorted[index + 1]
  }
  return next
}

/** Returns all rows of a table in its order, as ranges of files; undefined unless the log shows that files do not interleave. */
export function rangesInOrder(
  files: readonly CountedFile[],
  leading: string,
): readonly RowRange[] | undefined {
  const stretches = stretchesOf(
    files.filter(({ rows }) => rows > 0).flatMap((file) => candidatesWithin(file, [])),
    leading,
  )
  if (stretches.some(({ length }) => length > 1)) return undefined
  return joinRanges(
    stretches.flat().map(({ file, chunk: { first, rows } }) => ({ file, first, end: first + rows })),
  )
}
