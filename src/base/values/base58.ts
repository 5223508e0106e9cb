import { hash } from 'node:crypto'
import { base58, createBase58check } from '@scure/base'

export { base58 }

/** Base58 with a checksum: the first four bytes of the SHA-256 of the SHA-256. */
export const base58check = createBase58check((data: Uint8Array) => hash('sha256', data, 'buffer'))
