import { digestOf } from '../disk/disk.ts'

/**
 * gzip checks what it unpacks, and not how it was packed: bits of its header and beyond its last code mean nothing. So a
 * second, empty member follows, and the comment in its header is the SHA-256 of all bytes before it.
 */

// Deflate, with a comment, of no time and of no known system.
const HEADER = Buffer.from('1f8b08100000000000ff', 'hex')
/** The end of the comment, an empty block, and CRC-32 and length of nothing. */
const NOTHING = Buffer.from('0003000000000000000000', 'hex')
const SEAL_BYTES = HEADER.length + 64 + NOTHING.length

/** A gzip file with its seal; gunzip gives the same. */
export function sealed(gzip: Buffer): Buffer {
  return Buffer.concat([gzip, sealOf(gzip)])
}

/** Whether a file has the seal of its bytes. */
export function isSealed(bytes: Buffer): boolean {
  const end = Math.max(0, bytes.length - SEAL_BYTES)
  return bytes.subarray(end).equals(sealOf(bytes.subarray(0, end)))
}

function sealOf(bytes: Buffer): Buffer {
  return Buffer.concat([HEADER, Buffer.from(digestOf(bytes)), NOTHING])
}
