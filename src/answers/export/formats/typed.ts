import { fail } from '../../../base/errors.ts'
import { Texts } from '../../../base/values/strings.ts'
import { int32At } from '../../../base/values/typed-at.ts'
import { Integers, LIMBS, Longs, type Valid, type Vector, Wides } from '../../../base/values/vector.ts'
import { bigintOf } from '../../../catalog/column.ts'
import type { FlatColumn } from '../../../catalog/records/flat-columns.ts'
import type { FlatValue } from './flat-batch.ts'
import type { ValueType } from './value-types.ts'

export type Typed = Integers | Longs | Wides | Texts

/** Storage class of each type; booleans are 0 and 1. */
const holders = {
  ...{ text: Texts, boolean: Integers, int32: Integers, date: Integers },
  ...{ int64: Longs, timestamp: Longs, uint64: Wides, decimal: Wides },
} as const satisfies Readonly<Record<ValueType['as'], unknown>>

/** Stores values in a typed array; typed values are returned unchanged. */
export function typed({ as }: ValueType, values: Vector<FlatValue>): Typed {
  const holder = holders[as]
  if (values instanceof holder) return values
  const valid = validOf(values)
  const { length } = values
  switch (holder) {
    case Texts:
      return textsOf(values, valid)
    case Wides:
      return widesOf(values)
    case Longs:
      return new Longs(
        BigInt64Array.from({ length }, (_, row) => bigintOf(values.at(row) ?? 0n)),
        valid,
      )
    default:
      return new Integers(
        Int32Array.from({ length }, (_, row) => Number(values.at(row) ?? 0)),
        valid,
      )
  }
}

/** Repeats one value, or null, for a number of rows. */
export function repeatValue(type: ValueType, value: FlatValue, rows: number): Typed {
  return typed(type, Array<FlatValue>(rows).fill(value))
}

export function widesOf(values: Vector<FlatValue>): Wides {
  if (values instanceof Wides) return values
  const { length } = values
  const halves = new BigUint64Array(length * 2)
  for (let row = 0; row < length; row += 1) {
    const value = bigintOf(values.at(row) ?? 0n)
    halves[row * 2] = BigInt.asUintN(64, value)
    halves[row * 2 + 1] = BigInt.asUintN(64, value >> 64n)
  }
  return new Wides(new Uint16Array(halves.buffer, 0, length * LIMBS), validOf(values))
}

export function textsOf(values: Vector<FlatValue>, valid: Valid = validOf(values)): Texts {
  const { length } = values
  const offsets = new Int32Array(length + 1)
  let digits = ''
  for (let row = 0; row < length; row += 1) {
    const text = String(values.at(row) ?? '')
    digits += text
    offsets[row + 1] = int32At(offsets, row) + Buffer.byteLength(text)
  }
  return new Texts(Buffer.from(digits), offsets, valid)
}

function validOf(values: Vector<FlatValue>): Valid {
  const valid = Uint8Array.from({ length: values.length }, (_, row) => (values.at(row) === null ? 0 : 1))
  return valid.includes(0) ? valid : undefined
}

/**
 * Refuses integers beyond 64 bits: a sum may be wider than its amounts, and binary formats would truncate it.
 * Errors: `malformed_request` with the column and the value.
 */
export function refuseWide(column: FlatColumn, values: Typed): void {
  if (!(values instanceof Wides)) return
  const words = new Uint32Array(values.limbs.buffer, values.limbs.byteOffset, values.limbs.length / 2)
  for (let word = 0; word < words.length; word += LIMBS / 2)
    if (words[word + 2] !== 0 || words[word + 3] !== 0) tooWide(column.name, values.at((word * 2) / LIMBS))
}

/** Errors: `malformed_request`, always. */
export function tooWide(column: string, value: unknown): never {
  return fail(
    'malformed_request',
    `The column ${column} has the value ${value} in units of its last digit, for which this format has no room (64 bits); leave the column out, or ask for csv or ndjson.`,
  )
}
