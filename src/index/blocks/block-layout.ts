import type { Part } from './container.ts'

export const MAGIC = 'LLROWS01'

/** Rows of a block; the last one of a file may have fewer. */
export const BLOCK_ROWS = 256

/** Which rows of a block have a value in a column. */
export const NONE = 0
export const ALL = 1
export const SOME = 2

/** Bits of the state of a column, and of the width of lengths. */
export const STATE_BITS = 2
export const LENGTH_WIDTH_BITS = 5

/** The contents of a file of blocks. */
export interface Contents {
  readonly table: string
  /** SHA-256 of the file that the rows are of; those of an older release do not say it. */
  readonly source?: string
  readonly rows: number
  /** The columns, each with all that decides how it is stored. */
  readonly columns: readonly string[]
  /** Lists of parts: those of blocks, and for each column of texts those of its texts. */
  readonly blocks: Part
  readonly texts: Readonly<Record<string, Part>>
  /** The first value of each block in the column by which the file is sorted first; none where it has a null. */
  readonly fences: Part | null
}

/** Bytes that an entry of a list takes: where a part begins, how long it is, its checksum, and the first number in it. */
const ENTRY_BYTES = 20

/** Parts that follow each other, as columns of numbers: some thousand of them are in memory. */
export interface PartList {
  readonly starts: Float64Array
  readonly lengths: Uint32Array
  readonly checksums: Uint32Array
  /** The number of the first row or text of each part. */
  readonly firsts: Uint32Array
}

export function writePartList(parts: readonly (Part & { readonly first: number })[]): Buffer {
  const list = openPartList(Buffer.alloc(parts.length * ENTRY_BYTES))
  for (const [index, { start, length, checksum, first }] of parts.entries()) {
    list.starts[index] = start
    list.lengths[index] = length
    list.checksums[index] = checksum
    list.firsts[index] = first
  }
  return Buffer.from(list.starts.buffer)
}

/** Bytes of their own memory; starts come first, so that all columns lie where their words have to. */
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

export function partAt({ starts, lengths, checksums }: PartList, index: number): Part {
  const [start, length, checksum] = [starts[index], lengths[index], checksums[index]]
  if (start === undefined || length === undefined || checksum === undefined)
    throw new RangeError(`there is no part ${index}`)
  return { start, length, checksum }
}
