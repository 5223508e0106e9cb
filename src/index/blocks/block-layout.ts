import type { FilePart } from './container.ts'

export const BLOCKS_MAGIC = 'LLROWS01'

/** Rows of a block; the last one may have fewer. */
export const BLOCK_ROWS = 256

/** States of a column in a block: no row, all rows or some rows have a value. */
export const NONE = 0
export const ALL = 1
export const SOME = 2

/** Bits of the state of a column, and of the width of lengths. */
export const STATE_BITS = 2
export const LENGTH_WIDTH_BITS = 5

/** The contents of a file of blocks. */
export interface BlockFileContents {
  readonly table: string
  /** SHA-256 of the data file; missing in files of older releases. */
  readonly source?: string
  readonly rows: number
  /** Descriptions of the columns: name, kind and choices. */
  readonly columns: readonly string[]
  /** Part lists of the blocks, and of the texts of each column. */
  readonly blocks: FilePart
  readonly texts: Readonly<Record<string, FilePart>>
  /** First values of blocks in the leading sort column; null if one is null. */
  readonly fences: FilePart | null
}

/** Bytes of a list entry: start, length, checksum, first number. */
const ENTRY_BYTES = 20

/** A list of parts as columns of numbers. */
export interface PartList {
  readonly starts: Float64Array
  readonly lengths: Uint32Array
  readonly checksums: Uint32Array
  /** First row or text number of each part. */
  readonly firsts: Uint32Array
}

/** A part and the number of its first row or text. */
export interface ListedPart extends FilePart {
  readonly first: number
}

export function writePartList(parts: readonly ListedPart[]): Buffer {
  const list = openPartList(Buffer.alloc(parts.length * ENTRY_BYTES))
  for (const [index, { start, length, checksum, first }] of parts.entries()) {
    list.starts[index] = start
    list.lengths[index] = length
    list.checksums[index] = checksum
    list.firsts[index] = first
  }
  return Buffer.from(list.starts.buffer)
}

/** Copies bytes, so that arrays of words are aligned. */
export function openPartList({ buffer, byteOffset, length }: Buffer): PartList {
  const bytes = buffer.slice(byteOffset, byteOffset + length)
  const count = Math.floor(length / ENTRY_BYTES)
  const words = (column: number) => new Uint32Array(bytes, count * (8 + 4 * column), count)
  return {
    starts: new Float64Array(bytes, 0, count),
    lengths: words(0),
    checksums: words(1),
    firsts: words(2),
  }
}

export function partAt({ starts, lengths, checksums }: PartList, index: number): FilePart {
  const [start, length, checksum] = [starts[index], lengths[index], checksums[index]]
  if (start === undefined || length === undefined || checksum === undefined)
    throw new RangeError(`there is no part ${index}`)
  return { start, length, checksum }
}
