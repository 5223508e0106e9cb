import { bigintOf, type Value } from '../../../catalog/column.ts'
import type { Resource, RowOf } from '../../../catalog/resource.ts'
import type { ColumnField, WireField, WireFields } from '../../wire/field.ts'
import { BinaryWriter, LENGTH_DELIMITED, VARINT } from '../../wire/reader.ts'

/** A row to encode, as its resource stores it; key columns have the raw bytes of the public key. */
export type WireRow<R extends Resource, Keys extends string> = Partial<
  Omit<RowOf<R>, Keys> & Record<Keys, Uint8Array>
>

/** Columns by name; null and missing ones are not encoded. */
type Values = Readonly<Record<string, Value | undefined>>

/** A field, its number and its nested fields. */
interface Step {
  readonly number: number
  readonly field: WireField
  readonly nested: readonly Step[]
}

/**
 * Compiles a field table to a function that returns the bytes of a message. The function throws if `reward_type` names
 * no variant.
 */
export function compileEncoder<V extends Values = Values>(fields: WireFields): (values: V) => Uint8Array {
  const steps = stepsOf(fields)
  const variants = steps.flatMap(({ field }) => (field.as === 'variant' ? [field.name] : []))
  const writer = new BinaryWriter()
  return (values) => {
    if (variants.length > 0 && !variants.some((name) => name === values.reward_type))
      throw new Error(`no variant is named ${values.reward_type}`)
    putFields(writer, steps, values)
    return writer.finish()
  }
}

function stepsOf(fields: WireFields): readonly Step[] {
  return Object.entries(fields).map(([number, field]) => ({
    number: Number(number),
    field,
    nested: 'fields' in field ? stepsOf(field.fields) : [],
  }))
}

/** Writes fields. `reward_type` selects the variant. A nested message is written even if it is empty. */
function putFields(writer: BinaryWriter, steps: readonly Step[], values: Values): void {
  for (const { number, field, nested } of steps) {
    if (field.as !== 'variant' && field.as !== 'group') putColumn(writer, number, field, values)
    else if (field.as === 'group' || field.name === values.reward_type) {
      writer.tag(number, LENGTH_DELIMITED).fork()
      putFields(writer, nested, values)
      writer.join()
    }
  }
}

function putColumn(writer: BinaryWriter, number: number, field: ColumnField, values: Values): void {
  const value = values[field.as === 'nanoseconds' ? field.wholeColumn : field.column]
  if (field.as === 'decimal') putDecimal(writer, number, values[`${field.column}_exact`] ?? value)
  if (value === null || value === undefined) return
  switch (field.as) {
    case 'seconds':
    case 'optionalSeconds':
      putUnsigned(writer, number, bigintOf(value) / 1_000_000n)
      break
    case 'milliseconds':
      putUnsigned(writer, number, bigintOf(value) / 1000n)
      break
    case 'nanoseconds':
    case 'amount':
    case 'long':
    case 'uint32':
      putUnsigned(writer, number, bigintOf(value))
      break
    case 'int32':
      putInt32(writer, number, Number(value))
      break
    case 'sint32':
      if (value !== 0) writer.tag(number, VARINT).sint32(Number(value))
      break
    case 'choice':
      putInt32(writer, number, choiceNumber(field.choices, String(value)))
      break
    case 'text':
      if (value !== '') writer.tag(number, LENGTH_DELIMITED).string(String(value))
      break
    case 'bytes':
    case 'optionalBytes':
    case 'key':
      if (value instanceof Uint8Array && value.length > 0) writer.tag(number, LENGTH_DELIMITED).bytes(value)
  }
}

export function putUnsigned(writer: BinaryWriter, number: number, value: bigint): void {
  if (value === 0n) return
  writer.tag(number, VARINT)
  if (value <= 0xffff_ffffn) writer.uint32(Number(value))
  else writer.uint64(value)
}

function putInt32(writer: BinaryWriter, number: number, value: number): void {
  if (value !== 0) writer.tag(number, VARINT).int32(value)
}

/** Returns the number of a choice on the wire; an unknown name is the number itself. */
export function choiceNumber(choices: readonly string[], name: string): number {
  const number = choices.indexOf(name)
  return number === -1 ? Number(name) : number
}

/** Writes a message { 1: decimal text }. Omits null and missing values, and writes 0, as the oracles do. */
export function putDecimal(writer: BinaryWriter, number: number, text: Value | undefined): void {
  if (text === null || text === undefined) return
  writer.tag(number, LENGTH_DELIMITED).fork().tag(1, LENGTH_DELIMITED).string(String(text)).join()
}
