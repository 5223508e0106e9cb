import { hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type Contents, readContents } from './contents.ts'

export const MAGIC = Buffer.from('LLHOTS02')
export const TRAILER_BYTES = 64

/** So much of the digest of a key stands for it; half of it in the directory, half before the rows. */
export const DIGEST_BYTES = 16
export const HASH_BYTES = 8

/** The rows of one key. */
export interface Block {
  readonly digest: Buffer
  readonly rows: Buffer
}

/** A segment that is not as it was written. */
export class DamagedSegment extends Error {
  readonly path: string

  constructor(path: string) {
    super(`${path} is not as it was written`)
    this.path = path
  }
}

/** An open segment. Its directory is in memory, 20 bytes a key; a block is one short read. */
export interface Segment {
  readonly path: string
  readonly contents: Contents
  readonly keys: number
  /** The rows of a key; undefined when it has none. Errors: DamagedSegment. */
  rowsOf(key: string): Buffer | undefined
  /** All blocks in their order, some megabytes at a time. Errors: DamagedSegment. */
  blocks(): Generator<Block, undefined>
  close(): void
}

/** Blocks are in the order of these. */
function digestOfKey(key: string): Buffer {
  return digestOf(Buffer.from(key)).subarray(0, DIGEST_BYTES)
}

/** Opens a segment. Errors: DamagedSegment; Error when it cannot be read or is another file. */
export function openSegment(path: string): Segment {
  const descriptor = openSync(path, 'r')
  const read = (start: number, length: number) => {
    const bytes = Buffer.alloc(length)
    if (readAt(descriptor, bytes, start) !== length) throw new DamagedSegment(path)
    return bytes
  }
  const check = (bytes: Buffer, checksum: number | undefined) => {
    if (crc32(bytes) !== checksum) throw new DamagedSegment(path)
    return bytes
  }
  try {
    const { size } = fstatSync(descriptor)
    if (size < MAGIC.length + TRAILER_BYTES || !read(0, MAGIC.length).equals(MAGIC)) {
      throw new Error(`${path} is no segment`)
    }
    const trailer = read(size - TRAILER_BYTES, TRAILER_BYTES)
    const [blocksEnd, keys, contentsStart, contentsLength] = [0, 8, 16, 24].map((at) =>
      Number(trailer.readBigUInt64LE(at)),
    ) as [number, number, number, number]
    const known = read(blocksEnd, contentsStart + contentsLength - blocksEnd)
    if (!digestOf(known).equals(trailer.subarray(32))) throw new DamagedSegment(path)
    const directory = readDirectory(known, keys)
    return {
      path,
      contents: readContents(known.toString('utf8', contentsStart - blocksEnd)),
      keys,
      rowsOf: (key) => findRows(digestOfKey(key), directory, read, check),
      blocks: () => allBlocks(directory, read, check),
      close: () => closeSync(descriptor),
    }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** Gives the bytes read; a disk that cannot read them has none. */
function readAt(descriptor: number, bytes: Buffer, start: number): number {
  try {
    return readSync(descriptor, bytes, 0, bytes.length, start)
  } catch {
    return -1
  }
}

export function digestOf(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer')
}

/** For each key in the order of digests: the first half of its digest, where its block begins and ends, its checksum. */
interface Directory {
  readonly hashes: BigUint64Array
  /** One more than there are keys. */
  readonly starts: Float64Array
  readonly checksums: Uint32Array
}

type Read = (start: number, length: number) => Buffer
type Check = (bytes: Buffer, checksum: number | undefined) => Buffer

export const DIRECTORY_BYTES = HASH_BYTES + 4 + 4

function readDirectory(bytes: Buffer, keys: number): Directory {
  const starts = new Float64Array(keys + 1).fill(MAGIC.length)
  const hashes = new BigUint64Array(keys)
  const checksums = new Uint32Array(keys)
  for (let place = 0; place < keys; place += 1) {
    hashes[place] = bytes.readBigUInt64BE(place * HASH_BYTES)
    const length = bytes.readUInt32LE(keys * HASH_BYTES + place * 4)
    starts[place + 1] = (starts[place] ?? 0) + length
    checksums[place] = bytes.readUInt32LE(keys * (HASH_BYTES + 4) + place * 4)
  }
  return { hashes, starts, checksums }
}

const HALF = DIGEST_BYTES - HASH_BYTES

function findRows(
  digest: Buffer,
  { hashes, starts, checksums }: Directory,
  read: Read,
  check: Check,
): Buffer | undefined {
  const hash = digest.readBigUInt64BE()
  for (let place = lowerBound(hashes, hash); hashes[place] === hash; place += 1) {
    const start = starts[place] ?? 0
    const block = check(read(start, (starts[place + 1] ?? 0) - start), checksums[place])
    if (block.subarray(0, HALF).equals(digest.subarray(HASH_BYTES))) return block.subarray(HALF)
  }
  return undefined
}

const READ_BYTES = 4 << 20

function* allBlocks(
  { hashes, starts, checksums }: Directory,
  read: Read,
  check: Check,
): Generator<Block, undefined> {
  let bytes: Buffer = Buffer.alloc(0)
  let from = 0
  for (const [place, hash] of hashes.entries()) {
    const [start, end] = [starts[place] ?? 0, starts[place + 1] ?? 0]
    if (end > from + bytes.length) {
      const left = (starts[hashes.length] ?? 0) - start
      bytes = read(start, Math.max(end - start, Math.min(READ_BYTES, left)))
      from = start
    }
    const block = check(bytes.subarray(start - from, end - from), checksums[place])
    const digest = Buffer.alloc(DIGEST_BYTES)
    digest.writeBigUInt64BE(hash)
    block.copy(digest, HASH_BYTES, 0, HALF)
    yield { digest, rows: block.subarray(HALF) }
  }
  return undefined
}

function lowerBound(hashes: BigUint64Array, hash: bigint): number {
  let low = 0
  let high = hashes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((hashes[middle] ?? 0n) < hash) low = middle + 1
    else high = middle
  }
  return low
}
