import { BinaryReader, type WireType } from '@bufbuild/protobuf/wire'
import type { Value } from '../catalog/column.ts'
import { readDecimal, storedDecimal } from '../derive/decimal.ts'
import { LAST_INSTANT } from '../derive/instant.ts'
import { FileFault, RowFault } from './faults.ts'
import type { ColumnField, Field, Fields } from './field.ts'
import { KeyTexts } from './keys.ts'

export { BinaryReader }

const LAST_LONG = 2n ** 63n - 1n
/** RSA keys, the longest in use, have some 270 bytes. */
const LONGEST_KEY = 1024
const VARINT: WireType = 0
const LENGTH_DELIMITED: WireType = 2

/** One row being decoded: values by column slot, the variant, and oneof members this build does not know. */
interface Target {
  readonly values: Value[]
  variant: string | null
  unknownField: number | null
}

interface CompiledField {
  readonly wireType: WireType
  read(reader: BinaryReader, target: Target): void
}

interface Absent {
  readonly slot: number
  /** What the wire leaves out. A function throws. */
  readonly value: Value | (() => never)
}

/** Decodes one kind of message into `values`, one slot per column of `columns`. */
export interface MessageDecoder {
  readonly columns: readonly string[]
  readonly values: readonly Value[]
  /** Reads up to `end` and gives the variant. Throws RowFault, or FileFault when the bytes are no protobuf. */
  decode(reader: BinaryReader, end: number): string | null
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function readUtf8(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    throw new RowFault(`text 0x${Buffer.from(bytes).toString('hex')} is not UTF-8; only UTF-8 is accepted`)
  }
}

/** A reader whose texts must be UTF-8. */
export function openReader(buffer: Uint8Array): BinaryReader {
  return new BinaryReader(buffer, readUtf8)
}

export function compileDecoder(fields: Fields, columns: readonly string[]): MessageDecoder {
  const target: Target = { values: columns.map(() => null), variant: null, unknownField: null }
  const slots = new Map(columns.map((column, slot) => [column, slot]))
  const keys = new KeyTexts()
  const hasVariants = Object.values(fields).some((field) => field.as === 'variant')
  const topLevel = compileFields(fields, slots, keys)
  const absent = absentValues(fields, slots)

  return {
    columns,
    values: target.values,
    decode(reader, end) {
      target.values.fill(null)
      target.variant = null
      target.unknownField = null
      applyAbsent(absent, target)
      readMessage(topLevel, reader, end, target)
      checkPresent(absent, target)
      if (!hasVariants) return null
      if (target.variant !== null) return target.variant
      throw new RowFault(
        target.unknownField === null
          ? 'the message has no reward; one of the known reward variants is accepted'
          : `reward variant in field ${target.unknownField} is not known to this build`,
      )
    },
  }
}

function readMessage(
  fields: readonly (CompiledField | undefined)[],
  reader: BinaryReader,
  end: number,
  target: Target,
): void {
  while (reader.pos < end) {
    const [number, wireType] = reader.tag()
    const field = fields[number]
    if (field === undefined) {
      if (wireType === LENGTH_DELIMITED) target.unknownField = number
      reader.skip(wireType, number)
    } else {
      checkWireType(number, wireType, field.wireType)
      field.read(reader, target)
    }
  }
  if (reader.pos !== end) throw new FileFault('a field runs past the end of its message')
}

/** Oracles of one kind never change the type of a field, so another type means another kind of file. */
export function checkWireType(field: number, found: WireType, expected: WireType): void {
  if (found !== expected) {
    throw new FileFault(`field ${field} has wire type ${found}; wire type ${expected} is accepted`)
  }
}

function compileFields(
  fields: Fields,
  slots: ReadonlyMap<string, number>,
  keys: KeyTexts,
): readonly (CompiledField | undefined)[] {
  const compiled: (CompiledField | undefined)[] = []
  for (const [number, field] of Object.entries(fields)) {
    compiled[Number(number)] = compileField(field, slots, keys)
  }
  return compiled
}

function compileField(field: Field, slots: ReadonlyMap<string, number>, keys: KeyTexts): CompiledField {
  if (field.as !== 'variant' && field.as !== 'group') return compileColumn(field, slots, keys)
  const nested = compileFields(field.fields, slots, keys)
  const absent = field.as === 'variant' ? absentValues(field.fields, slots) : []
  const name = field.as === 'variant' ? field.name : null
  return {
    wireType: LENGTH_DELIMITED,
    read(reader, target) {
      const end = reader.uint32() + reader.pos
      if (name !== null) {
        target.variant = name
        applyAbsent(absent, target)
      }
      readMessage(nested, reader, end, target)
      if (name !== null) checkPresent(absent, target)
    },
  }
}

type ReadColumn<F extends ColumnField> = (
  field: F,
  slot: number,
  slots: ReadonlyMap<string, number>,
  keys: KeyTexts,
) => CompiledField['read']

/** One line for each way a field becomes a column. */
const readers: { readonly [A in ColumnField['as']]: ReadColumn<Extract<ColumnField, { as: A }>> } = {
  seconds: (field, slot) => readScaled(field.column, slot, 1_000_000n),
  optionalSeconds: (field, slot) => readScaled(field.column, slot, 1_000_000n, true),
  milliseconds: (field, slot) => readScaled(field.column, slot, 1000n),
  nanoseconds: (field, slot, slots) => {
    const wholeSlot = slotOf(slots, field.wholeColumn)
    return (reader, { values }) => {
      const whole = readLong(reader, field.wholeColumn)
      values[slot] = whole / 1000n
      values[wholeSlot] = whole
    }
  },
  amount:
    (_field, slot) =>
    (reader, { values }) => {
      values[slot] = reader.uint64() as bigint
    },
  long:
    (field, slot) =>
    (reader, { values }) => {
      values[slot] = readLong(reader, field.column)
    },
  uint32:
    (_field, slot) =>
    (reader, { values }) => {
      values[slot] = BigInt(reader.uint32())
    },
  int32:
    (_field, slot) =>
    (reader, { values }) => {
      values[slot] = reader.int32()
    },
  sint32:
    (_field, slot) =>
    (reader, { values }) => {
      values[slot] = reader.sint32()
    },
  text:
    (_field, slot) =>
    (reader, { values }) => {
      values[slot] = reader.string()
    },
  bytes:
    (_field, slot) =>
    (reader, { values }) => {
      values[slot] = reader.bytes()
    },
  optionalBytes:
    (_field, slot) =>
    (reader, { values }) => {
      const bytes = reader.bytes()
      values[slot] = bytes.length === 0 ? null : bytes
    },
  key:
    (field, slot, _slots, keys) =>
    (reader, { values }) => {
      const raw = reader.bytes()
      if (raw.length === 0) emptyKey(field.column)
      if (raw.length > LONGEST_KEY) {
        throw new RowFault(
          `${field.column} is ${raw.length} bytes long; at most ${LONGEST_KEY} bytes are accepted`,
        )
      }
      values[slot] = keys.textOf(raw)
    },
  choice:
    (field, slot) =>
    (reader, { values }) => {
      const number = reader.int32()
      values[slot] = field.choices[number] ?? String(number)
    },
  decimal: (field, slot, slots) => {
    const exactSlot = slots.get(`${field.column}_exact`)
    return (reader, { values }) => {
      const { stored, exact } = readDecimalMessage(reader, field.column)
      values[slot] = stored
      if (exactSlot !== undefined) values[exactSlot] = exact
    }
  },
}

function compileColumn(
  field: ColumnField,
  slots: ReadonlyMap<string, number>,
  keys: KeyTexts,
): CompiledField {
  const read = readers[field.as] as ReadColumn<ColumnField>
  const lengthDelimited = ['text', 'bytes', 'optionalBytes', 'key', 'decimal'].includes(field.as)
  return {
    wireType: lengthDelimited ? LENGTH_DELIMITED : VARINT,
    read: read(field, slotOf(slots, field.column), slots, keys),
  }
}

/** What proto3 means by leaving a field out. */
const absences: {
  readonly [A in ColumnField['as']]: (field: Extract<ColumnField, { as: A }>) => Absent['value']
} = {
  seconds: () => 0n,
  optionalSeconds: () => null,
  milliseconds: () => 0n,
  nanoseconds: () => 0n,
  amount: () => 0n,
  long: () => 0n,
  uint32: () => 0n,
  int32: () => 0,
  sint32: () => 0,
  text: () => '',
  bytes: () => new Uint8Array(0),
  optionalBytes: () => null,
  key: (field) => () => emptyKey(field.column),
  choice: (field) => field.choices[0] ?? '0',
  decimal: () => '0',
}

/** Absent values of a message's own columns and of its groups, not of its variants. */
function absentValues(fields: Fields, slots: ReadonlyMap<string, number>): readonly Absent[] {
  return Object.values(fields).flatMap((field): readonly Absent[] => {
    if (field.as === 'variant') return []
    if (field.as === 'group') return absentValues(field.fields, slots)
    const value = (absences[field.as] as (field: ColumnField) => Absent['value'])(field)
    const own: Absent = { slot: slotOf(slots, field.column), value }
    return field.as === 'nanoseconds' ? [own, { slot: slotOf(slots, field.wholeColumn), value }] : [own]
  })
}

function applyAbsent(absent: readonly Absent[], target: Target): void {
  for (const { slot, value } of absent) target.values[slot] = typeof value === 'function' ? null : value
}

function checkPresent(absent: readonly Absent[], target: Target): void {
  for (const { slot, value } of absent) {
    if (typeof value === 'function' && target.values[slot] === null) value()
  }
}

function slotOf(slots: ReadonlyMap<string, number>, column: string): number {
  const slot = slots.get(column)
  if (slot === undefined) throw new Error(`message field names the unknown column ${column}`)
  return slot
}

function emptyKey(column: string): never {
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
function readScaled(column: string, slot: number, scale: bigint, zeroIsNull = false): CompiledField['read'] {
  let last = 0n
  let lastInstant = 0n
  const most = LAST_INSTANT / scale
  return (reader, { values }) => {
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
  if (reader.pos !== end) throw new FileFault('a field runs past the end of its message')
  const plain = readDecimal(verbatim)
  const stored = plain === undefined ? undefined : storedDecimal(plain)
  if (plain === undefined || stored === undefined) {
    throw new RowFault(
      `${column} is ${JSON.stringify(verbatim)}; a decimal of at most 20 digits before the point and 64 after it is accepted`,
    )
  }
  return { stored, exact: stored === plain ? null : plain, verbatim }
}
