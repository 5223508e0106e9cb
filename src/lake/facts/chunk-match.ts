import type { Predicate } from '../../catalog/query/plan.ts'
import type { Bound, Chunk } from './chunk.ts'
import { compareBytes } from './source.ts'

/** How many rows of a chunk satisfy a predicate; undefined when its bounds and counts do not say. */
function rowsOfOne(chunk: Chunk, { column, match, value }: Predicate): number | undefined {
  if (match === 'anyOf') {
    const hasNone = (one: string) => rowsOfOne(chunk, { column, match: 'equals', value: one }) === 0
    return (value as readonly string[]).every(hasNone) ? 0 : undefined
  }
  const counts = chunk.counts[column]
  if (counts !== undefined && match === 'equals') {
    return Object.hasOwn(counts, String(value)) ? counts[String(value)] : 0
  }
  const bounds = chunk.bounds[column]
  const isComparable = typeof value === 'bigint' || typeof value === 'string'
  if (bounds === undefined || !isComparable) return undefined
  const [least, most] = [compareBounds(bounds[0], value), compareBounds(bounds[1], value)]
  const isBelow = match !== 'atMost' && most < 0
  const isAbove = match !== 'atLeast' && least > 0
  if (isBelow || isAbove) return 0
  const reachesDown = match === 'atMost' || least >= 0
  const reachesUp = match === 'atLeast' || most <= 0
  return reachesDown && reachesUp ? chunk.rows : undefined
}

/**
 * How many rows of a chunk satisfy every predicate, from the log alone; undefined when it does not say.
 * One predicate may divide the rows, as long as every other one holds for all of them.
 */
export function rowsMatching(chunk: Chunk, where: readonly Predicate[]): number | undefined {
  const known = where.map((predicate) => rowsOfOne(chunk, predicate))
  if (known.includes(0)) return 0
  const dividing = known.filter((rows) => rows !== chunk.rows)
  return dividing.length === 0 ? chunk.rows : dividing.length === 1 ? dividing[0] : undefined
}

/** Numbers by size, texts by their bytes. */
export function compareBounds(a: Bound, b: Bound): number {
  if (typeof a === 'string' || typeof b === 'string') return compareBytes(String(a), String(b))
  return a < b ? -1 : a > b ? 1 : 0
}
