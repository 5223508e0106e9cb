import type { Predicate } from '../../catalog/query/plan.ts'
import type { Bound, Chunk } from './chunk.ts'
import { compareBytes } from './source.ts'

/** Counts the rows of a chunk that satisfy a predicate; undefined when its bounds and counts do not say. */
function countMatching(chunk: Chunk, { column, match, value }: Predicate): number | undefined {
  if (match === 'anyOf') {
    if (!Array.isArray(value)) return undefined
    return value.every((each) => countMatching(chunk, { column, match: 'equals', value: each }) === 0)
      ? 0
      : undefined
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
 * Counts the rows of a chunk that satisfy every predicate, from the log alone; undefined when it does not say.
 * At most one predicate may hold for a part of the rows.
 */
export function rowsMatching(chunk: Chunk, where: readonly Predicate[]): number | undefined {
  const counts = where.map((predicate) => countMatching(chunk, predicate))
  if (counts.includes(0)) return 0
  const dividing = counts.filter((rows) => rows !== chunk.rows)
  return dividing.length === 0 ? chunk.rows : dividing.length === 1 ? dividing[0] : undefined
}

/** Compares numbers by size and texts by their bytes. */
export function compareBounds(a: Bound, b: Bound): number {
  if (typeof a === 'string' || typeof b === 'string') return compareBytes(String(a), String(b))
  return a < b ? -1 : a > b ? 1 : 0
}
