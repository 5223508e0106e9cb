import type { ChunkCount } from '../engine/engine.ts'
import { chunkRowsOf } from '../lake/chunk.ts'
import { type Candidate, rangesOf, type Stretch } from '../lake/chunk-order.ts'
import type { PlacedRowsPlan, Predicate, RowRange, RowsPlan } from '../query/plan.ts'
import { toPlacedPlan } from '../query/to-plan.ts'
import { findStretches, type SearchContext, toSearch } from './search.ts'

/** How many rows match, and a plan for one page of them that names where it lies. */
export interface PlacedPage {
  readonly total: number
  /** Undefined when the page has no rows. */
  readonly plan: PlacedRowsPlan | undefined
}

const nothing: PlacedPage = { total: 0, plan: undefined }

/**
 * Counts from the log where it knows how many rows of a chunk match, and reads only the other chunks; then it is known
 * which chunks the page lies in.
 */
export async function placePage(context: SearchContext, plan: RowsPlan): Promise<PlacedPage> {
  const found = await findStretches(context, plan.where)
  if (found === undefined) return nothing
  const counted = await countStretches(context, found.stretches, found.where)
  const total = counted.reduce((sum, { rows }) => sum + rows, 0)
  if (plan.offset >= total) return { total, plan: undefined }
  const { stretches, offset } = stretchesOfPage(counted, plan)
  const search = toSearch(found, stretches, offset)
  const isDecided = stretches.flat().every(({ chunk, matching }) => matching === chunk.rows)
  const isKnown = isDecided && !search.interleaved
  return {
    total,
    plan: isKnown
      ? toPlacedPlan(plan, cutRanges(search.ranges, offset, plan.limit))
      : { ...search, resource: plan.resource, columns: plan.columns, limit: plan.limit },
  }
}

/** The rows from the `offset`-th on, at most `limit`. */
export function cutRanges(ranges: readonly RowRange[], offset: number, limit: number): readonly RowRange[] {
  const cut: RowRange[] = []
  let [skip, left] = [offset, limit]
  for (const { file, first, end } of ranges) {
    const from = Math.min(end, first + skip)
    const to = Math.min(end, from + left)
    if (to > from) cut.push({ file, first: from, end: to })
    skip -= from - first
    left -= to - from
  }
  return cut
}

interface CountedStretch {
  readonly stretch: Stretch
  readonly rows: number
}

/** At most so many ranges are counted one by one; of more, the whole files are. */
const MOST_RANGES = 24

async function countStretches(
  { placed, resource, at, signal }: SearchContext,
  stretches: readonly Stretch[],
  where: readonly Predicate[],
): Promise<readonly CountedStretch[]> {
  const unknown = stretches.flat().filter(({ matching }) => matching === undefined)
  const ranges = rangesOf(unknown)
  const counts = await placed.countChunks(
    { resource, where, ranges: ranges.length > MOST_RANGES ? wholeFiles(ranges) : ranges },
    at,
    signal,
  )
  const rowsOf = countsByPlace(counts, chunkRowsOf(resource))
  return stretches.map((stretch) => ({
    stretch,
    rows: stretch.reduce((sum, candidate) => sum + (candidate.matching ?? rowsOf(candidate)), 0),
  }))
}

function wholeFiles(ranges: readonly RowRange[]): readonly RowRange[] {
  const files = new Map<string, RowRange>()
  for (const { file, first, end } of ranges) {
    const known = files.get(file) ?? { file, first, end }
    files.set(file, { file, first: Math.min(first, known.first), end: Math.max(end, known.end) })
  }
  return [...files.values()]
}

function countsByPlace(counts: readonly ChunkCount[], chunkRows: number): (candidate: Candidate) => number {
  const byPlace = new Map(counts.map(({ file, first, rows }) => [`${first} ${file}`, rows]))
  return ({ file, chunk }) => {
    let rows = 0
    for (let first = chunk.first; first < chunk.first + chunk.rows; first += chunkRows) {
      rows += byPlace.get(`${first} ${file}`) ?? 0
    }
    return rows
  }
}

/** The stretches that a page lies in, and how many of their rows come before it. */
function stretchesOfPage(
  counted: readonly CountedStretch[],
  { offset, limit }: RowsPlan,
): { readonly stretches: readonly Stretch[]; readonly offset: number } {
  let before = 0
  const stretches: Stretch[] = []
  let skipped = 0
  for (const { stretch, rows } of counted) {
    if (before + rows <= offset) {
      before += rows
      skipped = before
      continue
    }
    if (before >= offset + limit) break
    if (rows > 0) stretches.push(stretch)
    before += rows
  }
  return { stretches, offset: offset - skipped }
}
