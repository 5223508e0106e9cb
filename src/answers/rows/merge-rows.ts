import { firstIndex } from '../../base/values/first-index.ts'
import { itemAt } from '../../base/values/item-at.ts'
import type { Value } from '../../catalog/column.ts'
import type { OrderStep, Resource, Row } from '../../catalog/resource.ts'
import { type FoundRows, noRows } from '../../index/matching-rows.ts'
import { compareBounds } from '../../lake/facts/chunk-match.ts'

export const MOST_SORTED = 1000

/** Sorts rows into the order of a table; undefined if there are too many, or a column is not stored. */
export function sortRows({ order }: Resource, rows: FoundRows): FoundRows | undefined {
  if (rows.total > MOST_SORTED) return undefined
  const keys = rows.read(0, rows.total, columnsOf(order))
  if (keys === undefined) return undefined
  const places = [...keys.entries()]
    .sort(([, a], [, b]) => compareRows(order, a, b))
    .map(([index]) => ({ rows, index }))
  return { total: rows.total, read: (start, end, columns) => readEach(places.slice(start, end), columns) }
}

/** Merges sorted lists lazily. */
export function mergeRows({ order }: Resource, parts: readonly FoundRows[]): FoundRows {
  const lists = parts.map((rows) => new KeyedList(rows, order))
  return {
    total: parts.reduce((sum, part) => sum + part.total, 0),
    read(start, end, columns) {
      const next = divide(lists, start)
      const places: { rows: FoundRows; index: number }[] = []
      while (places.length < end - start) {
        const least = leastOf(lists, next)
        const index = next[least]
        if (index === undefined) break
        places.push({ rows: itemAt(parts, least), index })
        next[least] = index + 1
      }
      return readEach(places, columns)
    },
  }
}

/** A list with its cached sort keys. */
class KeyedList {
  readonly #rows: FoundRows
  readonly #order: readonly OrderStep[]
  readonly #keys = new Map<number, Row>()

  constructor(rows: FoundRows, order: readonly OrderStep[]) {
    this.#rows = rows
    this.#order = order
  }

  get total(): number {
    return this.#rows.total
  }

  key(index: number): Row {
    const cachedKey = this.#keys.get(index)
    if (cachedKey !== undefined) return cachedKey
    const [key] = this.#rows.read(index, index + 1, columnsOf(this.#order)) ?? []
    if (key === undefined) throw new Error('an index lacks a column of its order')
    this.#keys.set(index, key)
    return key
  }

  compare(index: number, key: Row): number {
    return compareRows(this.#order, this.key(index), key)
  }

  /** Counts rows before a key, or up to it with `isAfter`, by bisection between `low` and `high`. */
  before(key: Row, isAfter: boolean, low: number, high: number): number {
    return (
      low +
      firstIndex(high - low, (index) => {
        const difference = this.compare(low + index, key)
        return isAfter ? difference > 0 : difference >= 0
      })
    )
  }
}

/** Counts the rows of each list among the first `count` of the merged list, by bisection of the longest remainder. */
function divide(lists: readonly KeyedList[], count: number): number[] {
  const low = lists.map(() => 0)
  const high = lists.map(({ total }) => total)
  const remaining = (list: number) => itemAt(high, list) - itemAt(low, list)
  for (;;) {
    let longest = 0
    for (const list of lists.keys()) if (remaining(list) > remaining(longest)) longest = list
    if (remaining(longest) <= 0) return low
    const middle = itemAt(low, longest) + (remaining(longest) >> 1)
    const key = itemAt(lists, longest).key(middle)
    const before = lists.map((list, listIndex) =>
      // Equal rows keep the order of their lists.
      listIndex === longest
        ? middle
        : list.before(key, listIndex < longest, itemAt(low, listIndex), itemAt(high, listIndex)),
    )
    const isAmong = before.reduce((sum, rows) => sum + rows, 0) < count
    for (const [list, rows] of before.entries())
      if (!isAmong) high[list] = rows
      else low[list] = list === longest ? rows + 1 : rows
  }
}

/** Index of the list with the least next row; -1 at the end of all. */
function leastOf(lists: readonly KeyedList[], next: readonly number[]): number {
  let least = -1
  let key: Row | undefined
  for (const [list, keyedList] of lists.entries()) {
    const index = itemAt(next, list)
    if (index >= keyedList.total) continue
    if (key !== undefined && keyedList.compare(index, key) >= 0) continue
    key = keyedList.key(index)
    least = list
  }
  return least
}

const columnsOf = (order: readonly OrderStep[]) => order.map(({ column }) => column)

function readEach(
  places: readonly { readonly rows: FoundRows; readonly index: number }[],
  columns: readonly string[],
): readonly Row[] | undefined {
  const merged: Row[] = []
  for (const { rows, index } of places) {
    const listRows = rows.read(index, index + 1, columns)
    if (listRows === undefined) return undefined
    merged.push(...listRows)
  }
  return merged
}

/** Concatenates lists. */
export function joinRows(parts: readonly FoundRows[]): FoundRows {
  const [only = noRows, ...remainingParts] = parts
  if (remainingParts.length === 0) return only
  return {
    total: parts.reduce((sum, { total }) => sum + total, 0),
    read(start, end, columns) {
      const rows: Row[] = []
      let before = 0
      for (const part of parts) {
        const [from, to] = [Math.max(0, start - before), Math.min(part.total, end - before)]
        before += part.total
        if (from >= to) continue
        const partRows = part.read(from, to, columns)
        if (partRows === undefined) return undefined
        rows.push(...partRows)
      }
      return rows
    },
  }
}

/** Compares by the columns of an order; nulls first. */
export function compareRows(order: readonly OrderStep[], a: Row, b: Row): number {
  for (const { column, descending } of order) {
    const difference = compareValues(a[column] ?? null, b[column] ?? null)
    if (difference !== 0) return descending ? -difference : difference
  }
  return 0
}

function compareValues(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  return typeof a === 'bigint' && typeof b === 'bigint'
    ? compareBounds(a, b)
    : compareBounds(String(a), String(b))
}
