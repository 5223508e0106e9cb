import { createHash, hash } from 'node:crypto'

export const MAGIC = Buffer.from('LLHOTS03')
/** Where the blocks end, how many keys there are, how long the contents are; each 8 bytes. */
export const NUMBERS_BYTES = 24
export const TRAILER_BYTES = NUMBERS_BYTES + 32

/** A key is stored as this much of its digest: half in the directory, half before the rows. */
export const DIGEST_BYTES = 16
export const HASH_BYTES = 8

/** A key in the directory: half of its digest, the length of its block, a checksum. */
export const DIRECTORY_BYTES = HASH_BYTES + 4 + 4

/** The rows of one key. */
export interface Block {
  readonly digest: Buffer
  readonly rows: Buffer
}

export function digestOf(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer')
}

/** SHA-256 of directory, contents and the numbers of the trailer. */
export function checksumOf(parts: readonly Buffer[]): Buffer {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return sum.digest()
}
