import type { Value } from '../catalog/column.ts'
import { readDecimal, storedDecimal } from '../derive/decimal.ts'
import { LAST_INSTANT } from '../derive/instant.ts'
import { RowFault, shown } from './faults.ts'
import type { ColumnField } from './field.ts'
import type { KeyTexts } from './keys.ts'
import { type BinaryReader, checkEnd, LENGTH_DELIMITED } from './reader.ts'

const LAST_LONG = 2n ** 63n - 1n
/** RSA keys, the longest in use, have some 270 bytes. */
const LONGEST_KEY = 1024

/** Makes the function that reads one field into its slot. */
export type ReadColumn<F extends ColumnField> = (
  field: F,
  slot: number,
  slots: ReadonlyMap<string, number>,
  keys: KeyTexts,
) => (reader: BinaryReader, values: Value[]) => void

/** One line for each way a field becomes a column. */
export const columnReaders: {
  readonly [A in ColumnField['as']]: ReadColumn<Extract<ColumnField, { as: A }>>
} = {
  seconds: (field, slot) => readScaled(field.column, slot, 1_000_000n),
  optionalSeconds: (field, slot) => readScaled(field.column, slot, 1_000_000n, true),
  milliseconds: (field, slot) => readScaled(field.column, slot, 1000n),
  nanoseconds: (field, slot, slots) => {
    const wholeSlot = slotOf(slots, field.wholeColumn)
    return (reader, values) => {
      const whole = readLong(reader, field.wholeColumn)
      values[slot] = whole / 1000n
      values[wholeSlot] = whole
    }
  },
  amount: (_field, slot) => (reader, values) => {
    values[slot] = reader.uint64() as bigint
  },
  long: (field, slot) => (reader, values) => {
    values[slot] = readLong(reader, field.column)
  },
  uint32: (_field, slot) => (reader, values) => {
    values[slot] = BigInt(reader.uint32())
  },
  int32: (_field, slot) => (reader, values) => {
    values[slot] = reader.int32()
  },
  sint32: (_field, slot) => (reader, values) => {
    values[slot] = reader.sint32()
  },
  text: (_field, slot) => (reader, values) => {
    values[slot] = reader.string()
  },
  bytes: (_field, slot) => (reader, values) => {
    values[slot] = reader.bytes()
  },
  optionalBytes: (_field, slot) => (reader, values) => {
    const bytes = reader.bytes()
    values[slot] = bytes.length === 0 ? null : bytes
  },
  key: (field, slot, _slots, keys) => (reader, values) => {
    const raw = reader.bytes()
    if (raw.length === 0) emptyKey(field.column)
    if (raw.length > LONGEST_KEY) {
      throw new RowFault(
        `${field.column} is ${raw.length} bytes long; at most ${LONGEST_KEY} bytes are accepted`,
      )
    }
    values[slot] = keys.textOf(raw)
  },
  choice: (field, slot) => (reader, values) => {
    const number = reader.int32()
    values[slot] = field.choices[number] ?? String(number)
  },
  decimal: (field, slot, slots) => {
    const exactSlot = slots.get(`${field.column}_exact`)
    return (reader, values) => {
      const { stored, exact } = readDecimalMessage(reader, field.column)
      values[slot] = stored
      if (exactSlot !== undefined) values[exactSlot] = exact
    }
  },
}

/** The slot of a column in the values of a row. */
export function slotOf(slots: ReadonlyMap<string, number>, column: string): number {
  const slot = slots.get(column)
  if (slot === undefined) throw new Error(`message field names the unknown column ${column}`)
  return slot
}

export function emptyKey(column: string): never {
  throw new RowFault(`${column} is empty; a public key of at least one byte is accepted`)
}

function readLong(reader: BinaryReader, column: string): bigint {
  const value = reader.uint64() as bigint
  if (value > LAST_LONG) {
    throw new RowFault(`${column} is ${value}; at most ${LAST_LONG} is accepted`)
  }
  return value
}

/** Periods repeat from row to row, so the last one is remembered. */
function readScaled(
  column: string,
  slot: number,
  scale: bigint,
  zeroIsNull = false,
): ReturnType<ReadColumn<ColumnField>> {
  let last = 0n
  let lastInstant = 0n
  const most = LAST_INSTANT / scale
  return (reader, values) => {
    const value = reader.uint64() as bigint
    if (value !== last) {
      if (value > most) throw new RowFault(`${column} is ${value}; at most ${most} is accepted`)
      last = value
      lastInstant = value * scale
    }
    values[slot] = zeroIsNull && value === 0n ? null : lastInstant
  }
}

/** Reads a message { 1: decimal text }; a text left out is 0. `exact` is null where `stored` says it all. */
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
      `${column} is ${JSON.stringify(shown(verbatim))}; a decimal of at most 20 digits before the point and 64 after it is accepted`,
    )
  }
  return { stored, exact: stored === plain ? null : plain, verbatim }
}
