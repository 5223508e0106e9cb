import { bigintOf } from '../catalog/column.ts'
import type { Resource } from '../catalog/resource.ts'
import type { PlacedReads } from '../engine/engine.ts'
import {
  type Candidate,
  candidatesOf,
  chunksBy,
  chunksOf,
  rangesOf,
  type Stretch,
  stretchesOf,
} from '../lake/chunk-order.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot.ts'
import type { PlacedRowsPlan, Predicate } from '../query/plan.ts'
import type { TableCopies } from '../sorted-copies/copies-index.ts'
import { leadingColumn } from '../sorted-copies/sorted-tables.ts'

/** Everything that a search is made of. */
export interface SearchContext {
  readonly placed: PlacedReads
  readonly resource: Resource
  readonly at: Snapshot
  readonly sortedCopies: TableCopies | undefined
  readonly signal: AbortSignal | undefined
}

/** What a search adds to a plan. */
type Search = Pick<PlacedRowsPlan, 'ranges' | 'where' | 'offset' | 'interleaved'>

/** Where the rows are that satisfy predicates: stretches that follow each other in the order of the table. */
export interface Found {
  /** The predicates, and what else is known of the rows. */
  readonly where: readonly Predicate[]
  readonly stretches: readonly Stretch[]
  /** Whether the rows of a chunk lie in the order of the table. */
  readonly isInOrder: boolean
}

/** One list of files that has all the rows, in its own order. */
interface Way extends Pick<Found, 'isInOrder'> {
  readonly candidates: readonly Candidate[]
  stretches(): readonly Stretch[]
}

/** Finds the rows in the table itself or in one of its copies, wherever the fewest have to be read. */
export async function findStretches(
  context: SearchContext,
  where: readonly Predicate[],
): Promise<Found | undefined> {
  const led = await followPointers(context, where)
  if (led === undefined) return undefined
  const { stretches, isInOrder } = copyWays(led, context.sortedCopies).reduce(
    (best, way) => (rowsRead(way) < rowsRead(best) ? way : best),
    tableWay(context.at.table(context.resource), led),
  )
  return { where: led, stretches: stretches(), isInOrder }
}

/** The rows of stretches from the `offset`-th matching one on. */
export function toSearch(
  { where, isInOrder }: Pick<Found, 'where' | 'isInOrder'>,
  stretches: readonly Stretch[],
  offset: number,
): Search {
  const ranges = rangesOf(stretches.flat())
  const interleaved = !isInOrder || stretches.some((stretch) => stretch.length > 1)
  return { ranges, where, offset, interleaved }
}

function tableWay({ resource, files }: TableSnapshot, where: readonly Predicate[]): Way {
  const leading = leadingColumn(resource)
  const candidates = candidatesOf(chunksBy(files, leading), where)
  return { candidates, isInOrder: true, stretches: () => stretchesOf(candidates, leading) }
}

/** A copy has the rows of one value in the order of the table; those of several values interleave. */
function copyWays(where: readonly Predicate[], sortedCopies: TableCopies | undefined): readonly Way[] {
  return [...(sortedCopies?.copies ?? [])].flatMap(([column, { files }]): readonly Way[] => {
    const own = where.filter((predicate) => predicate.column === column)
    if (own.length === 0) return []
    const candidates = candidatesOf(chunksOf(files), where)
    const isInOrder = own.some(({ match }) => match === 'equals')
    return [{ candidates, isInOrder, stretches: () => (isInOrder ? eachAlone(candidates) : [candidates]) }]
  })
}

function eachAlone(candidates: readonly Candidate[]): readonly Stretch[] {
  return candidates.map((candidate) => [candidate])
}

/** What a way costs: the rows whose count the log does not know; ties go to the way with fewer rows and chunks. */
function rowsRead({ candidates }: Way): number {
  let [unknown, all] = [0, 0]
  for (const { chunk, matching } of candidates) {
    all += chunk.rows
    if (matching === undefined) unknown += chunk.rows
  }
  return unknown + (all + candidates.length) / 1_000_000_000
}

/** A value that occurs more often is found faster in another way. */
const MOST_POINTERS = 1000

/** Adds the range of the leading column in which a value occurs; undefined when it occurs nowhere. */
async function followPointers(
  { placed, resource, at, sortedCopies, signal }: SearchContext,
  where: readonly Predicate[],
): Promise<readonly Predicate[] | undefined> {
  const leading = leadingColumn(resource)
  let led = where
  for (const [column, pointers] of sortedCopies?.pointers ?? []) {
    const own = where.filter((predicate) => predicate.column === column)
    if (own.length === 0) continue
    const candidates = candidatesOf(chunksOf(pointers.files), own)
    if (candidates.length === 0) return undefined
    const search = toSearch({ where: own, isInOrder: true }, eachAlone(candidates), 0)
    const plan = { ...search, resource: pointers.resource, columns: [leading], limit: MOST_POINTERS }
    const rows = await placed.rows(plan, at, signal)
    const found = rows.map((row) => bigintOf(row[leading])).sort((a, b) => (a < b ? -1 : 1))
    const [first] = found
    const last = found.at(-1)
    if (first === undefined || last === undefined) return undefined
    if (found.length === MOST_POINTERS) continue
    const [match, value] = ['atLeast', first] as const
    led = [...led, { column: leading, match, value }, { column: leading, match: 'atMost', value: last }]
  }
  return led
}
