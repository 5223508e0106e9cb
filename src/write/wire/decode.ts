import type { Value } from '../../catalog/column.ts'
import { absentValues, applyAbsent, checkPresent } from './absent.ts'
import { type ReadColumn, slotOf } from './column-readers.ts'
import { RowFault } from './faults.ts'
import type { ColumnField, WireField, WireFields } from './field.ts'
import { fieldKinds } from './field-kinds.ts'
import { KeyTexts } from './keys.ts'
import { type BinaryReader, checkEnd, checkWireType, LENGTH_DELIMITED, type WireType } from './reader.ts'

/** One row being decoded: values by slot, the variant, and the number of an unknown oneof member. */
interface Target {
  readonly values: Value[]
  variant: string | null
  unknownField: number | null
}

interface CompiledField {
  readonly wireType: WireType
  read(reader: BinaryReader, target: Target): void
}

/** Decodes one kind of message into `values`, with one slot per column. */
export interface MessageDecoder {
  readonly columns: readonly string[]
  readonly values: Value[]
  /** Decodes up to `end` and returns the variant. Errors: RowFault; FileFault if the bytes are no protobuf. */
  decode(reader: BinaryReader, end: number): string | null
}

export function compileDecoder(fields: WireFields, columns: readonly string[]): MessageDecoder {
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
      applyAbsent(absent, target.values)
      readMessage(topLevel, reader, end, target)
      checkPresent(absent, target.values)
      if (!hasVariants) return null
      if (target.variant !== null) return target.variant
      throw new RowFault(
        target.unknownField === null
          ? 'the message has no reward; expected one of the known reward variants'
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
  checkEnd(reader, end)
}

function compileFields(
  fields: WireFields,
  slots: ReadonlyMap<string, number>,
  keys: KeyTexts,
): readonly (CompiledField | undefined)[] {
  const compiled: (CompiledField | undefined)[] = []
  for (const [number, field] of Object.entries(fields)) {
    compiled[Number(number)] = compileField(field, slots, keys)
  }
  return compiled
}

function compileField(field: WireField, slots: ReadonlyMap<string, number>, keys: KeyTexts): CompiledField {
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
        applyAbsent(absent, target.values)
      }
      readMessage(nested, reader, end, target)
      if (name !== null) checkPresent(absent, target.values)
    },
  }
}

function compileColumn(
  field: ColumnField,
  slots: ReadonlyMap<string, number>,
  keys: KeyTexts,
): CompiledField {
  const { wireType, read } = fieldKinds[field.as]
  const readInto = (read as ReadColumn)(field, slotOf(slots, field.column), slots, keys)
  return {
    wireType,
    read: (reader, { values }) => readInto(reader, values),
  }
}
