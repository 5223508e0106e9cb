import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { keyOfBlock } from './block.ts'
import { type Contents, readContents } from './contents.ts'

export const MAGIC = Buffer.from('LLHOTS01')
export const TRAILER_BYTES = 64

/** An open segment. Its directory is in memory, 20 bytes a key; a block is one short read. */
export interface Segment {
  readonly path: string
  readonly contents: Contents
  readonly keys: number
  /** Where the blocks end that begin after the magic. */
  readonly blocksEnd: number
  /** The rows of a key; undefined when it has none. Errors: Error when a block is not as it was written. */
  block(key: string): Buffer | undefined
  /** A stretch of the file. */
  read(start: number, length: number): Buffer
  close(): void
}

/** The first eight bytes of a digest: keys that share them are told apart by what their blocks say. */
export function hashOfKey(key: string): bigint {
  return createHash('sha256').update(key).digest().readBigUInt64LE(0)
}

/** Opens a segment. Errors: Error when it is cut off, or its directory is not as it was written. */
export function openSegment(path: string): Segment {
  const descriptor = openSync(path, 'r')
  const read = (start: number, length: number) => {
    const bytes = Buffer.alloc(length)
    if (readSync(descriptor, bytes, 0, length, start) !== length) throw new Error(`${path} is cut off`)
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
    if (!digestOf(known).equals(trailer.subarray(32))) throw new Error(`${path} is not as it was written`)
    const directory = readDirectory(known, keys)
    const contents = readContents(known.toString('utf8', contentsStart - blocksEnd))
    return {
      ...{ path, contents, keys, blocksEnd, read },
      block: (key) => findBlock(key, directory, read, path),
      close: () => closeSync(descriptor),
    }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

export function digestOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** For each key in the order of hashes: where its block begins, how long it is, and its checksum. */
interface Directory {
  readonly hashes: BigUint64Array
  readonly starts: BigUint64Array
  readonly lengths: Uint32Array
  readonly checksums: Uint32Array
}

export const DIRECTORY_BYTES = 8 + 8 + 4 + 4

function readDirectory(bytes: Buffer, keys: number): Directory {
  const { buffer } = Uint8Array.from(bytes.subarray(0, keys * DIRECTORY_BYTES))
  return {
    hashes: new BigUint64Array(buffer, 0, keys),
    starts: new BigUint64Array(buffer, keys * 8, keys),
    lengths: new Uint32Array(buffer, keys * 16, keys),
    checksums: new Uint32Array(buffer, keys * 20, keys),
  }
}

function findBlock(
  key: string,
  { hashes, starts, lengths, checksums }: Directory,
  read: Segment['read'],
  path: string,
): Buffer | undefined {
  const hash = hashOfKey(key)
  for (let place = lowerBound(hashes, hash); hashes[place] === hash; place += 1) {
    const block = read(Number(starts[place]), lengths[place] ?? 0)
    if (crc32(block) !== checksums[place]) throw new Error(`${path} is not as it was written`)
    if (keyOfBlock(block) === key) return block
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
