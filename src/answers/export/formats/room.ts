import { fail } from '../../../base/errors.ts'
import { LIMBS, Wides } from '../../../base/values/vector.ts'
import type { FlatColumn } from '../../../catalog/records/flat-columns.ts'
import type { Typed } from './typed.ts'

/**
 * Refuses integers beyond 64 bits: a sum may be wider than its amounts, and binary formats would truncate it.
 * Errors: `malformed_request` with the column and the value.
 */
export function refuseWide(column: FlatColumn, values: Typed): void {
  if (!(values instanceof Wides)) return
  const words = new Uint32Array(values.limbs.buffer, values.limbs.byteOffset, values.limbs.length / 2)
  for (let word = 0; word < words.length; word += LIMBS / 2)
    if (words[word + 2] !== 0 || words[word + 3] !== 0)
      fail(
        'malformed_request',
        `The column ${column.name} has the value ${values.at((word * 2) / LIMBS)} in units of its last digit, for which this format has no room (64 bits); leave the column out, or ask for csv or ndjson.`,
      )
}
