import { hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { PLAINLY } from '../lake/log-entry.ts'
import { type Contents, readContents } from './contents.ts'
import { allBlocks, findRows, readDirectory } from './directory.ts'
import {
  type Block,
  checksumOf,
  DIGEST_BYTES,
  DIRECTORY_BYTES,
  MAGIC,
  NUMBERS_BYTES,
  TRAILER_BYTES,
} from './segment-layout.ts'

/** The directory of fifty million keys. A file may be longer than it has bytes on the disk. */
const MOST_READ_BYTES = 1e9

/** A segment of which a checksum or a length is wrong. */
export class DamagedSegment extends Error {
  readonly path: string

  constructor(path: string) {
    super(`${path} is damaged`)
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

/** Blocks are sorted by these. */
function digestOfKey(key: string): Buffer {
  return Buffer.from(hash('sha256', key, 'binary'), 'binary').subarray(0, DIGEST_BYTES)
}

/** Opens a segment. Errors: DamagedSegment; Error when it cannot be read or is another file. */
export function openSegment(path: string, magic = MAGIC): Segment {
  const descriptor = openSync(path, PLAINLY)
  const facts = fstatSync(descriptor)
  const { size } = facts
  const read = (start: number, length: number) => {
    if (length > MOST_READ_BYTES || start + length > size) throw new DamagedSegment(path)
    const bytes = Buffer.allocUnsafe(length)
    if (readAt(descriptor, bytes, start) !== length) throw new DamagedSegment(path)
    return bytes
  }
  const check = (bytes: Buffer, checksum: number | undefined) => {
    if (crc32(bytes) !== checksum) throw new DamagedSegment(path)
    return bytes
  }
  try {
    if (!facts.isFile() || size < MAGIC.length + TRAILER_BYTES || !read(0, MAGIC.length).equals(magic)) {
      throw new Error(`${path} is no segment`)
    }
    const trailer = read(size - TRAILER_BYTES, TRAILER_BYTES)
    const numbers = trailer.subarray(0, NUMBERS_BYTES)
    const numberAt = (at: number) => Number(numbers.readBigUInt64LE(at))
    const [blocksEnd, keys, contentsLength] = [numberAt(0), numberAt(8), numberAt(16)]
    const directoryLength = keys * DIRECTORY_BYTES
    // Checked first: a wrong length must not make anything be read or allocated.
    if (blocksEnd < MAGIC.length || blocksEnd + directoryLength + contentsLength + TRAILER_BYTES !== size) {
      throw new DamagedSegment(path)
    }
    const known = read(blocksEnd, directoryLength + contentsLength)
    if (!checksumOf([known, numbers]).equals(trailer.subarray(NUMBERS_BYTES))) {
      throw new DamagedSegment(path)
    }
    const directory = readDirectory(known, keys)
    return {
      path,
      contents: readContents(known.toString('utf8', directoryLength)),
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

/** Whether a file is a segment of another release; one whose magic alone is damaged is none. */
export function isOfOtherRelease(path: string): boolean {
  const descriptor = openSync(path, 'r')
  const magic = Buffer.alloc(MAGIC.length)
  readAt(descriptor, magic, 0)
  closeSync(descriptor)
  if (magic.equals(MAGIC) || !/^LLHOTS\d\d$/.test(magic.toString('latin1'))) return false
  try {
    openSegment(path, magic).close()
    return false
  } catch {
    return true
  }
}

/** Returns how many bytes were read; -1 when the disk cannot read them. */
function readAt(descriptor: number, bytes: Buffer, start: number): number {
  try {
    return readSync(descriptor, bytes, 0, bytes.length, start)
  } catch {
    return -1
  }
}
