import { crc32 } from 'node:zlib'

/** 24 bits of the CRC-32 of a line, as four characters. */
export function checksumOf(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(crc32(text))
  return bytes.toString('base64url').slice(0, 4)
}
