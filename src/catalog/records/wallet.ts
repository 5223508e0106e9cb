import { base58, base58check } from '../../base/values/base58.ts'
import type { WalletSpelling } from '../column.ts'

/** Bytes before the key of a wallet on L1: the version of the encoding, then network and type of key (mainnet, ed25519). */
const HEAD = [0, 1] as const
const KEY_BYTES = 32
/** A text of this length that begins with 1 may be the L1 spelling of a wallet. */
const L1_LENGTH = 51
/** Base58 of 32 bytes. */
const L2_LENGTHS = { least: 32, most: 44 }

/**
 * Spells the address of a wallet as one of the ledgers does. All other texts stay unchanged: multi-signature accounts,
 * keys of hotspots, addresses of the test network and wrong checksums have one spelling only. Without `spelling`, as for
 * columns without wallets, any text stays unchanged.
 */
export function spellWallet(spelling: WalletSpelling | undefined, text: string): string {
  if (spelling === undefined) return text
  return (spelling === 'l1' ? l1Spelling(text) : l2Spelling(text)) ?? text
}

function l1Spelling(text: string): string | undefined {
  if (text.length < L2_LENGTHS.least || text.length > L2_LENGTHS.most) return undefined
  const key = bytesOf(() => base58.decode(text))
  return key?.length === KEY_BYTES ? base58check.encode(Uint8Array.of(...HEAD, ...key)) : undefined
}

function l2Spelling(text: string): string | undefined {
  if (text.length !== L1_LENGTH || !text.startsWith('1')) return undefined
  const bytes = bytesOf(() => base58check.decode(text))
  const isWallet = bytes?.length === HEAD.length + KEY_BYTES && HEAD.every((byte, at) => bytes[at] === byte)
  return isWallet ? base58.encode(bytes.subarray(HEAD.length)) : undefined
}

/** Returns undefined for text that is not base58 or has a wrong checksum. */
function bytesOf(decode: () => Uint8Array): Uint8Array | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}
