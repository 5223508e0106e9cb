import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'

/** Limit of cached values per table version, for hits and misses each. */
const MOST_REMEMBERED = 10_000
/** Longer values are not cached, which bounds memory. */
const LONGEST_REMEMBERED = 256

type Remembered = WeakMap<TableSnapshot, Set<string>>

/** Most requests are about existing hotspots. */
const foundValues: Remembered = new WeakMap()
/** Separate, since a client can invent any number of them. */
const missedValues: Remembered = new WeakMap()

/** Returns whether a table version has a value; undefined if the value is not cached. */
export function rememberedPresence(table: TableSnapshot, value: string): boolean | undefined {
  if (foundValues.get(table)?.has(value)) return true
  return missedValues.get(table)?.has(value) ? false : undefined
}

export function rememberPresence(table: TableSnapshot, value: string, isPresent: boolean): void {
  if (value.length > LONGEST_REMEMBERED) return
  const values = isPresent ? foundValues : missedValues
  const ofTable = values.get(table) ?? new Set()
  values.set(table, ofTable.add(value))
  const [oldest] = ofTable
  if (ofTable.size > MOST_REMEMBERED && oldest !== undefined) ofTable.delete(oldest)
}
