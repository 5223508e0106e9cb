import type { Value } from '../catalog/column.ts'
import type { OrderStep, Resource, Row } from '../catalog/resource.ts'
import { type FoundRows, noRows } from '../index/find-rows.ts'
import { compareBounds } from '../lake/chunk-match.ts'

/** More rows are sorted by the engine. */
const MOST_MERGED = 1000

/** Rows of files that interleave; undefined where these are many. */
export function mergeRows(resource: Resource, parts: readonly FoundRows[]): FoundRows | undefined {
  const total = parts.reduce((sum, part) => sum + part.total, 0)
  if (total > MOST_MERGED) return undefined
  const columns = resource.order.map(({ column }) => column)
  const places: { readonly part: FoundRows; readonly place: number; readonly row: Row }[] = []
  for (const part of parts) {
    const rows = part.read(0, part.total, columns)
    if (rows === undefined) return undefined
    places.push(...rows.map((row, place) => ({ part, place, row })))
  }
  places.sort((a, b) => compareRows(resource.order, a.row, b.row))
  return {
    total,
    read(start, end, columns) {
      const rows: Row[] = []
      for (const { part, place } of places.slice(start, end)) {
        const own = part.read(place, place + 1, columns)
        if (own === undefined) return undefined
        rows.push(...own)
      }
      return rows
    },
  }
}

/** Rows of files that follow each other. */
export function joinRows(parts: readonly FoundRows[]): FoundRows {
  const [only = noRows, ...others] = parts
  if (others.length === 0) return only
  return {
    total: parts.reduce((sum, { total }) => sum + total, 0),
    read(start, end, columns) {
      const rows: Row[] = []
      let before = 0
      for (const { total, read } of parts) {
        const [from, to] = [Math.max(0, start - before), Math.min(total, end - before)]
        before += total
        if (from >= to) continue
        const own = read(from, to, columns)
        if (own === undefined) return undefined
        rows.push(...own)
      }
      return rows
    },
  }
}

/** By the columns of an order; nulls come first. */
export function compareRows(order: readonly OrderStep[], a: Row, b: Row): number {
  for (const { column, descending } of order) {
    const difference = compareValues(a[column] ?? null, b[column] ?? null)
    if (difference !== 0) return descending ? -difference : difference
  }
  return 0
}

/** Nulls come first. */
function compareValues(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  return typeof a === 'bigint' && typeof b === 'bigint'
    ? compareBounds(a, b)
    : compareBounds(String(a), String(b))
}
