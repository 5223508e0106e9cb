import type { Predicate } from '../catalog/query/plan.ts'
import { type BlockReading, isPlain } from './blocks/block-reading.ts'
import { compareSearchValues, toSearchValue } from './blocks/search-value.ts'

/** Returns whether a row satisfies a predicate. Errors: DamagedFile. */
export type RowTest = (row: number) => boolean

/** Most entries of a cache of results; a full one is cleared. */
const MOST_CACHED = 16_384

/** Undefined if the column is not stored. */
export function createRowTest(reading: BlockReading, predicate: Predicate): RowTest | undefined {
  const column = reading.file.numberOf(predicate.column)
  const stored = reading.file.columns[column]
  if (stored === undefined) return undefined
  const { match, value } = predicate
  if (match === 'anyOf') {
    const accepted: readonly unknown[] = [value].flat()
    return cacheByToken(reading, column, (row) =>
      [reading.value(column, row)].flat().some((item) => accepted.includes(item)),
    )
  }
  const target = toSearchValue(value)
  if (stored.as === 'signed') return (row) => matches(match, reading.compare(column, row, target))
  if (stored.as === 'text' && isPlain(stored.column.kind))
    return cacheByToken(reading, column, (row) => matches(match, reading.compare(column, row, target)))
  return cacheByToken(reading, column, (row) => {
    const actual = reading.value(column, row)
    if (actual === null) return false
    return match === 'equals'
      ? actual === value
      : matches(match, compareSearchValues(toSearchValue(actual), target))
  })
}

/** Tests each distinct value once. */
function cacheByToken(reading: BlockReading, column: number, test: RowTest): RowTest {
  const results = new Map<number, boolean>()
  return (row) => {
    const token = reading.token(column, row)
    if (token === -2) return false
    if (token === -1) return test(row)
    const cached = results.get(token)
    if (cached !== undefined) return cached
    const result = test(row)
    if (results.size === MOST_CACHED) results.clear()
    results.set(token, result)
    return result
  }
}

/** False for NaN, the difference of a null. */
function matches(match: Predicate['match'], difference: number): boolean {
  return match === 'equals' ? difference === 0 : match === 'atLeast' ? difference >= 0 : difference <= 0
}
