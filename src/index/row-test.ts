import type { Value } from '../catalog/column.ts'
import type { Predicate } from '../catalog/query/plan.ts'
import { type BlockReading, isPlain } from './blocks/block-reading.ts'
import { compareFences, fenceOf } from './blocks/fences.ts'

/** Whether a row satisfies a predicate. Errors: DamagedFile. */
export type RowTest = (row: number) => boolean

/** So many results are remembered by the number of a value; of more, all are forgotten. */
const MOST_REMEMBERED = 16_384

/** Undefined when the column is not stored. */
export function rowTestOf(reading: BlockReading, predicate: Predicate): RowTest | undefined {
  const column = reading.file.numberOf(predicate.column)
  const stored = reading.file.columns[column]
  if (stored === undefined) return undefined
  const { match, value } = predicate
  if (match === 'anyOf') return byToken(reading, column, (row) => isAnyOf(reading.value(column, row), value))
  const fence = fenceOf(value)
  if (stored.as === 'signed') return (row) => isWithin(match, reading.compare(column, row, fence))
  if (stored.as === 'text' && isPlain(stored.column.kind))
    return byToken(reading, column, (row) => isWithin(match, reading.compare(column, row, fence)))
  return byToken(reading, column, (row) => {
    const actual = reading.value(column, row)
    if (actual === null) return false
    return match === 'equals' ? actual === value : isWithin(match, compareFences(fenceOf(actual), fence))
  })
}

/** Tests each different value once. */
function byToken(reading: BlockReading, column: number, test: RowTest): RowTest {
  const results = new Map<number, boolean>()
  return (row) => {
    const token = reading.token(column, row)
    if (token === -2) return false
    if (token === -1) return test(row)
    const remembered = results.get(token)
    if (remembered !== undefined) return remembered
    const result = test(row)
    if (results.size === MOST_REMEMBERED) results.clear()
    results.set(token, result)
    return result
  }
}

function isAnyOf(actual: Value, values: Value): boolean {
  return [actual].flat().some((item) => (values as readonly Value[]).includes(item as Value))
}

/** Nothing is within where there is no value. */
function isWithin(match: Predicate['match'], difference: number): boolean {
  return match === 'equals' ? difference === 0 : match === 'atLeast' ? difference >= 0 : difference <= 0
}
