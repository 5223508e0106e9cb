import { firstPlaceNear } from '../lake/first-place.ts'
import { type Block, DIGEST_BYTES, HASH_BYTES, MAGIC } from './segment-layout.ts'

/** For each key in the order of digests: the first half of its digest in two parts, where its block begins and ends, its checksum. */
export interface Directory {
  readonly heads: Uint32Array
  readonly tails: Uint32Array
  /** One more than there are keys. */
  readonly starts: Float64Array
  readonly checksums: Uint32Array
}

/** Reads exactly that many bytes, or throws. */
export type Read = (start: number, length: number) => Buffer
/** Returns the bytes of a block if they have its checksum, or throws. */
export type Check = (bytes: Buffer, checksum: number | undefined) => Buffer

/** Reads the directory, which comes first in `bytes`. */
export function readDirectory(bytes: Buffer, keys: number): Directory {
  const starts = new Float64Array(keys + 1).fill(MAGIC.length)
  const heads = new Uint32Array(keys)
  const tails = new Uint32Array(keys)
  const checksums = new Uint32Array(keys)
  for (let place = 0; place < keys; place += 1) {
    heads[place] = bytes.readUInt32BE(place * HASH_BYTES)
    tails[place] = bytes.readUInt32BE(place * HASH_BYTES + HEAD_BYTES)
    const length = bytes.readUInt32LE(keys * HASH_BYTES + place * 4)
    starts[place + 1] = (starts[place] ?? 0) + length
    checksums[place] = bytes.readUInt32LE(keys * (HASH_BYTES + 4) + place * 4)
  }
  return { heads, tails, starts, checksums }
}

const HALF = DIGEST_BYTES - HASH_BYTES
const HEAD_BYTES = 4

/** Of some hundred thousand keys most lie so near to where they should. */
const FIRST_STEP = 128

/** The rows of the key of a digest. */
export function findRows(
  digest: Buffer,
  { heads, tails, starts, checksums }: Directory,
  read: Read,
  check: Check,
): Buffer | undefined {
  const head = digest.readUInt32BE()
  const tail = digest.readUInt32BE(HEAD_BYTES)
  // Digests are evenly spread.
  const around = { low: 0, high: heads.length, estimate: Math.floor((head / 2 ** 32) * heads.length) }
  const first = firstPlaceNear(around, FIRST_STEP, (place) => (heads[place] as number) >= head)
  for (let place = first; heads[place] === head; place += 1) {
    if (tails[place] !== tail) continue
    const start = starts[place] ?? 0
    const block = check(read(start, (starts[place + 1] ?? 0) - start), checksums[place])
    if (block.subarray(0, HALF).equals(digest.subarray(HASH_BYTES))) return block.subarray(HALF)
  }
  return undefined
}

const READ_BYTES = 4 << 20

/** All blocks in their order. */
export function* allBlocks(
  { heads, tails, starts, checksums }: Directory,
  read: Read,
  check: Check,
): Generator<Block, undefined> {
  let bytes: Buffer = Buffer.alloc(0)
  let from = 0
  for (const [place, head] of heads.entries()) {
    const [start, end] = [starts[place] ?? 0, starts[place + 1] ?? 0]
    if (end > from + bytes.length) {
      const left = (starts[heads.length] ?? 0) - start
      bytes = read(start, Math.max(end - start, Math.min(READ_BYTES, left)))
      from = start
    }
    const block = check(bytes.subarray(start - from, end - from), checksums[place])
    const digest = Buffer.alloc(DIGEST_BYTES)
    digest.writeUInt32BE(head)
    digest.writeUInt32BE(tails[place] ?? 0, HEAD_BYTES)
    block.copy(digest, HASH_BYTES, 0, HALF)
    yield { digest, rows: block.subarray(HALF) }
  }
  return undefined
}
