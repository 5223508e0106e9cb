import { formatAmount, plainDecimal } from '../../../base/values/decimal.ts'
import { writeInstant } from '../../../base/values/instant.ts'
import { bigintOf } from '../../../catalog/column.ts'
import type { FlatValue } from './flat-batch.ts'
import type { ValueType } from './value-types.ts'

/** Returns a function that writes a value as REST does. */
export function textOf(type: ValueType): (value: NonNullable<FlatValue>) => string {
  switch (type.as) {
    case 'timestamp':
      return repeating((value) => writeInstant(bigintOf(value)))
    case 'date':
      return repeating((value) => new Date(Number(value) * 86_400_000).toISOString().slice(0, 10))
    case 'decimal': {
      const write = type.inJson === 'text' ? formatAmount : plainDecimal
      return (value) => write(bigintOf(value), type.scale)
    }
    default:
      return String
  }
}

/** Adjacent rows mostly have the same time. */
function repeating(write: (value: NonNullable<FlatValue>) => string): typeof write {
  let last: FlatValue = null
  let text = ''
  return (value) => {
    if (value !== last) {
      last = value
      text = write(value)
    }
    return text
  }
}
