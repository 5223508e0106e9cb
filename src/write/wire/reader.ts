import { BinaryReader, BinaryWriter, type WireType } from '@bufbuild/protobuf/wire'
import { FileFault, RowFault, shorten } from './faults.ts'

export { BinaryReader, BinaryWriter, type WireType }

/** The two wire types in the network's messages. */
export const VARINT: WireType = 0
export const LENGTH_DELIMITED: WireType = 2

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Limit on the bytes converted for a message, which shows fewer. */
const MOST_BYTES_SHOWN = 1000

function readUtf8(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    const hex = Buffer.from(bytes.subarray(0, MOST_BYTES_SHOWN)).toString('hex')
    throw new RowFault(`text 0x${shorten(hex)} is not UTF-8`)
  }
}

/** Opens a reader whose texts must be UTF-8. */
export function openProtobufReader(buffer: Uint8Array): BinaryReader {
  return new BinaryReader(buffer, readUtf8)
}

/** Reads an unsigned integer of 64 bits. The library would return text without bigint support. */
export function readUint64(reader: BinaryReader): bigint {
  return reader.uint64() as bigint
}

/** Throws for another wire type. Oracles never change the type of a field, so the file is of another kind. */
export function checkWireType(field: number, actual: WireType, expected: WireType): void {
  if (actual !== expected) {
    throw new FileFault(`field ${field} has wire type ${actual} instead of ${expected}`)
  }
}

/** Throws unless a nested message ends exactly at its length. */
export function checkEnd(reader: BinaryReader, end: number): void {
  if (reader.pos !== end) throw new FileFault('a field runs past the end of its message')
}
