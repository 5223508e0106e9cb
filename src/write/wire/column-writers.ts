import { BinaryWriter } from '@bufbuild/protobuf/wire'
import type { Value } from '../../catalog/column.ts'
import type { ColumnField } from './field.ts'
import { LENGTH_DELIMITED, VARINT, type WireType } from './reader.ts'

export { BinaryWriter }

/** Columns by name; what is null or missing is left off the wire. */
export type Values = Readonly<Record<string, Value | undefined>>
export type WriteField = (values: Values) => void

/** Makes the function that writes one column as a field. */
export type WriteColumn<F extends ColumnField = ColumnField> = (
  field: F,
  number: number,
  writer: BinaryWriter,
) => WriteField

/** Writes what `put` makes of a column; null, missing and `zero` are left off. */
const unless =
  <V extends Value>(
    zero: (value: V) => boolean,
    wireType: WireType,
    put: (writer: BinaryWriter, value: V) => void,
  ) =>
  ({ column }: { readonly column: string }, number: number, writer: BinaryWriter): WriteField => {
    const tag = fieldTag(number, wireType)
    return (values) => {
      const value = values[column] as V | null | undefined
      if (value === null || value === undefined || zero(value)) return
      writer.uint32(tag)
      put(writer, value)
    }
  }

const isZero = (value: number) => value === 0
const isEmpty = (value: string | Uint8Array) => value.length === 0

export const writeUnsigned = unless<bigint>((value) => value === 0n, VARINT, putUnsigned)
export const writeInt32 = unless<number>(isZero, VARINT, (writer, value) => writer.int32(value))
export const writeSint32 = unless<number>(isZero, VARINT, (writer, value) => writer.sint32(value))
export const writeText = unless<string>(isEmpty, LENGTH_DELIMITED, (writer, value) => writer.string(value))
export const writeBytes = unless<Uint8Array>(isEmpty, LENGTH_DELIMITED, (writer, value) =>
  writer.bytes(value),
)

export const writeChoice: WriteColumn<Extract<ColumnField, { as: 'choice' }>> = (field, number, writer) =>
  unless<string>(
    (value) => value === (field.choices[0] ?? '0'),
    VARINT,
    (out, value) => out.int32(choiceNumber(field.choices, value)),
  )(field, number, writer)

export const writeDecimal: WriteColumn = ({ column }, number, writer) => {
  const exactColumn = `${column}_exact`
  return (values) => putDecimal(writer, number, values[exactColumn] ?? values[column])
}

/** Periods repeat from row to row, so the last one is remembered. */
export function writeScaled(scale: bigint): WriteColumn {
  return ({ column }, number, writer) => {
    const tag = fieldTag(number, VARINT)
    let lastInstant = 0n
    let last = 0n
    return (values) => {
      const instant = values[column] as bigint | null | undefined
      if (instant === null || instant === undefined) return
      if (instant !== lastInstant) {
        last = instant / scale
        lastInstant = instant
      }
      if (last !== 0n) putUnsigned(writer.uint32(tag), last)
    }
  }
}

export function fieldTag(number: number, wireType: WireType): number {
  return ((number << 3) | wireType) >>> 0
}

export function putUnsigned(writer: BinaryWriter, value: bigint): void {
  if (value <= 0xffff_ffffn && value >= 0n) writer.uint32(Number(value))
  else writer.uint64(value)
}

/** The number of a choice on the wire; an unknown one is named by its digits. */
export function choiceNumber(choices: readonly string[], name: string): number {
  const number = choices.indexOf(name)
  return number === -1 ? Number(name) : number
}

/** Writes a message { 1: decimal text }; null and missing are left off, 0 is written out as the oracles do. */
export function putDecimal(writer: BinaryWriter, number: number, text: Value | undefined): void {
  if (text === null || text === undefined) return
  writer
    .uint32(fieldTag(number, LENGTH_DELIMITED))
    .fork()
    .uint32(fieldTag(1, LENGTH_DELIMITED))
    .string(String(text))
    .join()
}
