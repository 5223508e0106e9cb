import type { Kind, Value } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import { readCount } from './tag-fault.ts'

/** Rows in a chunk, of which the log has statistics. A row group is one chunk, or several in compacted shares. */
export function chunkRowsOf({ access }: Resource): number {
  return access?.chunkRows ?? CHUNK_ROWS
}

const CHUNK_ROWS = 20_480

/** With more chunks in a file, its own list of them takes longer to read than the rows that are wanted. */
const MOST_CHUNKS = 48

/**
 * Rows of a row group in a compacted file of shares, and of such a file. A hotspot has a row every day, so the more days a group
 * has, the fewer bytes its keys take, which stand once in its dictionary.
 */
export const COMPACTED_GROUP_ROWS = 491_520
export const COMPACTED_FILE_ROWS = 4 * COMPACTED_GROUP_ROWS

/**
 * The least number of files for so many rows. It is 1 without `access`, and where the log carries sums, since there a
 * source stays in one file.
 */
export function fewestFiles(resource: Resource, rows: number): number {
  if (resource.access === undefined || resource.statistics !== undefined) return 1
  return Math.max(1, Math.ceil(rows / (MOST_CHUNKS * chunkRowsOf(resource))))
}

export type Bound = bigint | string

/** Rows of a file that lie together, and what is known of them without opening it. */
export interface Chunk {
  /** Position of the first row in its file. */
  readonly first: number
  readonly rows: number
  /** Least and most value of a column that has no nulls. */
  readonly bounds: Readonly<Record<string, readonly [Bound, Bound]>>
  /** Rows of each value of a column; left out where there are too many values. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** A file whose rows the log describes chunk by chunk. */
export interface ChunkedFile {
  readonly path: string
  readonly chunks: readonly Chunk[]
}

export type WrittenChunk = readonly [
  rows: number,
  bounds: Readonly<Record<string, readonly [string, string]>>,
  counts: Chunk['counts'],
]

/** Chunks as they stand in JSON, in the order of their rows. */
export function writeChunks(chunks: readonly Chunk[]): readonly WrittenChunk[] {
  return chunks.map(({ rows, bounds, counts }): WrittenChunk => {
    const texts = Object.entries(bounds).map(([column, [least, most]]) => [
      column,
      [String(least), String(most)],
    ])
    return [rows, Object.fromEntries(texts), counts]
  })
}

const boundReaders: Readonly<Partial<Record<Kind, (text: string) => Bound>>> = {
  whole: BigInt,
  seconds: BigInt,
  instant: BigInt,
  cell: BigInt,
  text: (text) => text,
}

/**
 * None when a release wrote them that cut files otherwise.
 * Errors: TagFault, SyntaxError or TypeError for what `writeChunks` does not write.
 */
export function readChunks(resource: Resource, written: readonly WrittenChunk[]): readonly Chunk[] {
  const { columns } = resource
  if (written.slice(0, -1).some(([rows]) => rows !== chunkRowsOf(resource))) return []
  let first = 0
  return written.map(([rows, texts, counts]) => {
    const bounds = Object.entries(texts).map(([column, [least, most]]): [string, readonly [Bound, Bound]] => {
      const read = boundReaders[columns[column]?.kind ?? 'text'] ?? ((text) => text)
      return [column, [read(least), read(most)]]
    })
    const chunk = {
      first,
      rows: readCount('rows of a chunk', rows),
      bounds: Object.fromEntries(bounds),
      counts,
    }
    for (const [column, ofValues] of Object.entries(counts))
      for (const own of Object.values(ofValues)) readCount(`count of ${column}`, own)
    first += rows
    return chunk
  })
}

/** Longer texts and more values than these would swell the log. */
const LONGEST_BOUND = 200
const MOST_COUNTS = 64

/** Whether a value may stand as a bound. */
export function isBound(value: Value | undefined): value is Bound {
  return typeof value === 'bigint' || (typeof value === 'string' && value.length <= LONGEST_BOUND)
}

/** Whether counts are few enough for the log. */
export function areCounts(counts: Readonly<Record<string, number>>): boolean {
  const values = Object.keys(counts)
  return values.length <= MOST_COUNTS && values.every((value) => value.length <= LONGEST_BOUND)
}
