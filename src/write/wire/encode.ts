import type { Value } from '../../catalog/column.ts'
import type { Resource, RowOf } from '../../catalog/resource.ts'
import { BinaryWriter, fieldTag, type Values, type WriteColumn, type WriteField } from './column-writers.ts'
import type { WireField, WireFields } from './field.ts'
import { fieldKinds } from './field-kinds.ts'
import { LENGTH_DELIMITED } from './reader.ts'

/** A row on its way out: as its resource stores it, but key columns hold the raw bytes of the public key. */
export type WireRow<R extends Resource, Keys extends string> = Partial<
  Omit<RowOf<R>, Keys> & Record<Keys, Uint8Array>
>

/** Gives the bytes of one message. Throws when `reward_type` names no variant of the table. */
type EncodeMessage<V extends Values = Values> = (values: V) => Uint8Array

/** Bytes that a frame adds to its message. */
export const FRAME_HEADER_BYTES = 4

/** Writes one frame, a 4-byte big-endian length and the message, and gives the position after it. */
export function writeFrame(into: Buffer, at: number, message: Uint8Array): number {
  into.writeUInt32BE(message.length, at)
  into.set(message, at + FRAME_HEADER_BYTES)
  return at + FRAME_HEADER_BYTES + message.length
}

/** Compiles a field table once. Of several variants, `reward_type` of the row chooses the one written. */
export function compileEncoder<V extends Values = Values>(fields: WireFields): EncodeMessage<V> {
  const writer = new BinaryWriter()
  const shared: WriteField[] = []
  const variants = new Map<Value | undefined, WriteField>()
  for (const [number, field] of Object.entries(fields)) {
    const write = compileField(field, Number(number), writer)
    if (field.as === 'variant') variants.set(field.name, write)
    else shared.push(write)
  }
  return (values) => {
    const writeVariant = variants.get(values.reward_type)
    if (writeVariant === undefined && variants.size > 0) {
      throw new Error(`no variant is named ${values.reward_type}`)
    }
    for (const write of shared) write(values)
    writeVariant?.(values)
    return writer.finish()
  }
}

/** A nested message is written even when all its fields are left off: its presence is what says something. */
function compileField(field: WireField, number: number, writer: BinaryWriter): WriteField {
  if (field.as !== 'variant' && field.as !== 'group')
    return (fieldKinds[field.as].write as WriteColumn)(field, number, writer)
  const nested = Object.entries(field.fields).map(([at, inner]) => compileField(inner, Number(at), writer))
  const tag = fieldTag(number, LENGTH_DELIMITED)
  return (values) => {
    writer.uint32(tag).fork()
    for (const write of nested) write(values)
    writer.join()
  }
}
