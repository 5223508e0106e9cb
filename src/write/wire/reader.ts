import { BinaryReader, BinaryWriter, type WireType } from '@bufbuild/protobuf/wire'
import { FileFault, RowFault, shorten } from './faults.ts'

export { BinaryReader, BinaryWriter, type WireType }

/** The two wire types that the network's messages use. */
export const VARINT: WireType = 0
export const LENGTH_DELIMITED: WireType = 2

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** More than are shown of a text; the others need not be written out. */
const MOST_BYTES_SHOWN = 1000

function readUtf8(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    const hex = Buffer.from(bytes.subarray(0, MOST_BYTES_SHOWN)).toString('hex')
    throw new RowFault(`text 0x${shorten(hex)} is not UTF-8`)
  }
}

/** A reader whose texts must be UTF-8. */
export function openProtobufReader(buffer: Uint8Array): BinaryReader {
  return new BinaryReader(buffer, readUtf8)
}

/** An unsigned number of 64 bits, which the library would give as text where there are no bigints. */
export function readUint64(reader: BinaryReader): bigint {
  return reader.uint64() as bigint
}

/** Oracles of one kind never change the type of a field, so another type means another kind of file. */
export function checkWireType(field: number, actual: WireType, expected: WireType): void {
  if (actual !== expected) {
    throw new FileFault(`field ${field} has wire type ${actual} instead of ${expected}`)
  }
}

/** Every nested message ends exactly where its length says. */
export function checkEnd(reader: BinaryReader, end: number): void {
  if (reader.pos !== end) throw new FileFault('a field runs past the end of its message')
}
