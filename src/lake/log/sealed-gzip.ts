import { digestOf } from '../disk/disk.ts'

/**
 * The gzip checksum does not cover its header and padding bits. So a second, empty member follows, and the comment in its
 * header is the SHA-256 of all bytes before it.
 */

// Deflate, with a comment, without time and system.
const HEADER = Buffer.from('1f8b08100000000000ff', 'hex')
/** End of the comment, an empty block, CRC-32 and length 0. */
const EMPTY_BODY = Buffer.from('0003000000000000000000', 'hex')
const SEAL_BYTES = HEADER.length + 64 + EMPTY_BODY.length

/** Appends the seal to a gzip file; gunzip gives the same content. */
export function sealed(gzip: Buffer): Buffer {
  return Buffer.concat([gzip, sealOf(gzip)])
}

/** Checks that a file ends with the seal of its bytes. */
export function isSealed(bytes: Buffer): boolean {
  const end = Math.max(0, bytes.length - SEAL_BYTES)
  return bytes.subarray(end).equals(sealOf(bytes.subarray(0, end)))
}

function sealOf(bytes: Buffer): Buffer {
  return Buffer.concat([HEADER, Buffer.from(digestOf(bytes)), EMPTY_BODY])
}
