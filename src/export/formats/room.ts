import type { FlatColumn } from '../../derive/flat-columns.ts'
import { fail } from '../../errors.ts'
import type { FlatValue } from './flat-batch.ts'
import { valueTypeOf } from './value-types.ts'

const MOST_UINT64 = 2n ** 64n - 1n
const MOST_DECIMAL = 10n ** 38n - 1n

/**
 * The values as they are, since binary formats would cut what they have no room for: a sum may be wider than the amounts in it.
 * Errors: `malformed_request` that names the column and the value.
 */
export function withRoom(column: FlatColumn, values: readonly FlatValue[]): readonly FlatValue[] {
  const { as } = valueTypeOf(column)
  if (as !== 'uint64' && as !== 'decimal') return values
  const [least, most] = as === 'uint64' ? [0n, MOST_UINT64] : [-MOST_DECIMAL, MOST_DECIMAL]
  const outside = values.find(
    (value) => value !== null && ((value as bigint) > most || (value as bigint) < least),
  )
  if (outside === undefined) return values
  const room = as === 'uint64' ? '64 bits' : '38 digits'
  return fail(
    'malformed_request',
    `The column ${column.name} has the value ${outside} in units of its last digit, for which this format has no room (${room}); leave the column out, or ask for csv or ndjson.`,
  )
}
