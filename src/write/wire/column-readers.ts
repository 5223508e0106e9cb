import { readDecimal, storedDecimal } from '../../base/values/decimal.ts'
import { LAST_INSTANT } from '../../base/values/instant.ts'
import type { Value } from '../../catalog/column.ts'
import { RowFault, shorten } from './faults.ts'
import type { ColumnField } from './field.ts'
import type { KeyTexts } from './keys.ts'
import { type BinaryReader, checkEnd, LENGTH_DELIMITED, readUint64 } from './reader.ts'

const LAST_LONG = 2n ** 63n - 1n
/** Longest accepted key. RSA keys, the longest in use, have some 270 bytes. */
const LONGEST_KEY = 1024

/** Compiles a field to a function that reads it into its slot. */
export type ReadColumn<F extends ColumnField = ColumnField> = (
  field: F,
  slot: number,
  slots: ReadonlyMap<string, number>,
  keys: KeyTexts,
) => (reader: BinaryReader, values: Value[]) => void

type Of<A extends ColumnField['as']> = Extract<ColumnField, { as: A }>

/** Compiles a field whose value is stored unchanged. */
export function reading(read: (reader: BinaryReader) => Value): ReadColumn {
  return (_field, slot) => (reader, values) => {
    values[slot] = read(reader)
  }
}

export const readAmount: ReadColumn = (_field, slot) => (reader, values) => {
  values[slot] = readUint64(reader)
}

export const readLong: ReadColumn =
  ({ column }, slot) =>
  (reader, values) => {
    values[slot] = long(reader, column)
  }

export const readNanoseconds: ReadColumn<Of<'nanoseconds'>> = ({ wholeColumn }, slot, slots) => {
  const wholeSlot = slotOf(slots, wholeColumn)
  return (reader, values) => {
    const whole = long(reader, wholeColumn)
    values[slot] = whole / 1000n
    values[wholeSlot] = whole
  }
}

export const readKey: ReadColumn =
  ({ column }, slot, _slots, keys) =>
  (reader, values) => {
    const raw = reader.bytes()
    if (raw.length === 0) emptyKey(column)
    if (raw.length > LONGEST_KEY) {
      throw new RowFault(`${column} is ${raw.length} bytes long; expected at most ${LONGEST_KEY} bytes`)
    }
    values[slot] = keys.textOf(raw)
  }

export const readChoice: ReadColumn<Of<'choice'>> =
  ({ choices }, slot) =>
  (reader, values) => {
    const number = reader.int32()
    values[slot] = choices[number] ?? String(number)
  }

export const readDecimalColumn: ReadColumn = ({ column }, slot, slots) => {
  const exactSlot = slots.get(`${column}_exact`)
  return (reader, values) => {
    const { stored, exact } = readDecimalMessage(reader, column)
    values[slot] = stored
    if (exactSlot !== undefined) values[exactSlot] = exact
  }
}

/** Caches the last value, because periods repeat from row to row. */
export function readScaled(scale: bigint, zeroIsNull = false): ReadColumn {
  const most = LAST_INSTANT / scale
  return ({ column }, slot) => {
    let last = 0n
    let lastInstant = 0n
    return (reader, values) => {
      const value = readUint64(reader)
      if (value !== last) {
        if (value > most) throw new RowFault(`${column} is ${value}; expected at most ${most}`)
        last = value
        lastInstant = value * scale
      }
      values[slot] = zeroIsNull && value === 0n ? null : lastInstant
    }
  }
}

export function readNonEmpty(reader: BinaryReader): Uint8Array | null {
  const bytes = reader.bytes()
  return bytes.length === 0 ? null : bytes
}

/** Returns the slot of a column in the values of a row. */
export function slotOf(slots: ReadonlyMap<string, number>, column: string): number {
  const slot = slots.get(column)
  if (slot === undefined) throw new Error(`message field names the unknown column ${column}`)
  return slot
}

export function emptyKey(column: string): never {
  throw new RowFault(`${column} is empty; expected a public key of at least one byte`)
}

function long(reader: BinaryReader, column: string): bigint {
  const value = readUint64(reader)
  if (value > LAST_LONG) {
    throw new RowFault(`${column} is ${value}; expected at most ${LAST_LONG}`)
  }
  return value
}

/** Reads a message { 1: decimal text }; a missing text is 0. `exact` is null if `stored` is exact. */
export function readDecimalMessage(
  reader: BinaryReader,
  column: string,
): { stored: string; exact: string | null; verbatim: string } {
  const end = reader.uint32() + reader.pos
  let verbatim = '0'
  while (reader.pos < end) {
    const [number, wireType] = reader.tag()
    if (number === 1 && wireType === LENGTH_DELIMITED) verbatim = reader.string()
    else reader.skip(wireType, number)
  }
  checkEnd(reader, end)
  const plain = readDecimal(verbatim)
  const stored = plain === undefined ? undefined : storedDecimal(plain)
  if (plain === undefined || stored === undefined) {
    throw new RowFault(
      `${column} is ${JSON.stringify(shorten(verbatim))}; expected a decimal of at most 20 digits before the point and 64 after it`,
    )
  }
  return { stored, exact: stored === plain ? null : plain, verbatim }
}
