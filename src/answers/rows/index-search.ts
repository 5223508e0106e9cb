import type { Steps } from '../../base/slices.ts'
import type { Resource, Row } from '../../catalog/resource.ts'
import { type FoundRows, type MatchingRows, noRows } from '../../index/matching-rows.ts'
import { joinRows, MOST_SORTED, mergeRows, sortRows } from './merge-rows.ts'

/** Rows `start` to `end`, exclusive, of the matching rows. */
interface Window {
  readonly start: number
  readonly end: number
}

/** Adjacent rows in the order of a list. */
export interface Segment {
  /** Several pieces interleave. */
  readonly pieces: readonly MatchingRows[]
  /** True if the only piece is in another order. */
  readonly isUnsorted?: true
}

/** Rows of a list in an index, some of which must be compared. Errors of all reads: DamagedFile. */
export class IndexSearch {
  readonly #resource: Resource
  readonly #segments: readonly Segment[]

  constructor(resource: Resource, segments: readonly Segment[]) {
    this.#resource = resource
    this.#segments = segments
  }

  /** True if the sort may exceed its limit. */
  get isTooMuch(): boolean {
    return this.#segments.some(
      ({ pieces, isUnsorted }) => isUnsorted && pieces.some(({ rows }) => rows > MOST_SORTED),
    )
  }

  /** Upper bound of compared rows to count all and read a window. */
  costOf({ start, end }: Window): number {
    let [cost, before] = [0, 0]
    for (const { pieces } of this.#segments) {
      const isKnown = pieces.every(({ matching }) => matching !== undefined)
      const total = pieces.reduce((sum, { matching = 0 }) => sum + matching, 0)
      const isWanted = before < end && before + total > start
      if (!isKnown || isWanted) cost += pieces.reduce((sum, { compared }) => sum + compared, 0)
      before += total
    }
    return cost
  }

  /**
   * All matching rows, with those of the window ready to read. Returns undefined if the sort would exceed its
   * limit.
   */
  *rows({ start, end }: Window): Steps<FoundRows | undefined> {
    for (const { pieces } of this.#segments)
      for (const piece of pieces)
        if (piece.matching === undefined) yield* piece.find(Number.POSITIVE_INFINITY)
    const segments: FoundRows[] = []
    let before = 0
    for (const segment of this.#segments) {
      const total = segment.pieces.reduce((sum, piece) => sum + piece.total, 0)
      if (before < end && before + total > start) yield* findIn(segment, end - before)
      before += total
      const rows = this.#ordered(segment)
      if (rows === undefined) return undefined
      if (total > 0) segments.push(rows)
    }
    return joinRows(segments)
  }

  /**
   * The first `limit` rows, uncounted. Returns undefined if the sort would exceed its limit, or a column is not
   * stored.
   */
  *first(limit: number, columns: readonly string[]): Steps<readonly Row[] | undefined> {
    const first: Row[] = []
    for (const segment of this.#segments) {
      const remaining = limit - first.length
      if (remaining <= 0) break
      yield* findIn(segment, remaining)
      const foundRows = segment.pieces.reduce((sum, piece) => sum + piece.found, 0)
      const segmentRows = this.#ordered(segment)?.read(0, Math.min(remaining, foundRows), columns)
      if (segmentRows === undefined) return undefined
      first.push(...segmentRows)
    }
    return first
  }

  #ordered({ pieces, isUnsorted }: Segment): FoundRows | undefined {
    const [only = noRows] = pieces
    if (isUnsorted) return sortRows(this.#resource, only)
    return pieces.length > 1 ? mergeRows(this.#resource, pieces) : only
  }
}

/** Compares rows until the first `count` of a segment are found. */
function* findIn({ pieces, isUnsorted }: Segment, count: number): Steps<void> {
  const isInOrder = pieces.length === 1 && !isUnsorted
  for (const piece of pieces) yield* piece.find(isInOrder ? count : Number.POSITIVE_INFINITY)
}
