import type { Kind } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import { checkCount } from './tag-fault.ts'

/** Returns the rows per chunk. A row group is one chunk, or several chunks in compacted shares. */
export function chunkRowsOf({ access }: Resource): number {
  return access?.chunkRows ?? CHUNK_ROWS
}

const CHUNK_ROWS = 20_480

/** Limit on chunks per file. A longer list takes more time to read than the rows. */
const MOST_CHUNKS = 48

/** Rows of a row group in a compacted file of shares. More days share one dictionary of hotspot keys. */
export const COMPACTED_GROUP_ROWS = 491_520
export const COMPACTED_FILE_ROWS = 4 * COMPACTED_GROUP_ROWS

/**
 * Returns the least number of files for a row count. It is 1 without `access`, and for a resource with statistics,
 * whose sources are never split.
 */
export function fewestFiles(resource: Resource, rows: number): number {
  if (resource.access === undefined || resource.statistics !== undefined) return 1
  return Math.max(1, Math.ceil(rows / (MOST_CHUNKS * chunkRowsOf(resource))))
}

export type Bound = bigint | string

/** Consecutive rows of a file, with the bounds and counts that the log has for them. */
export interface Chunk {
  /** Position of the first row in its file. */
  readonly first: number
  readonly rows: number
  /** Minimum and maximum of each column without nulls. */
  readonly bounds: Readonly<Record<string, readonly [Bound, Bound]>>
  /** Row count of each value of a column; absent when there are too many values. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>
}

export interface ChunkedFile {
  readonly path: string
  readonly chunks: readonly Chunk[]
}

export type WrittenChunk = readonly [
  rows: number,
  bounds: Readonly<Record<string, readonly [string, string]>>,
  counts: Chunk['counts'],
]

/** Converts chunks to JSON, in the order of their rows. */
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
 * Parses chunks; returns none if another release wrote them with another chunk size.
 * Errors: TagFault, SyntaxError or TypeError for invalid content.
 */
export function readChunks(resource: Resource, written: readonly WrittenChunk[]): readonly Chunk[] {
  const { columns } = resource
  if (written.slice(0, -1).some(([rows]) => rows !== chunkRowsOf(resource))) return []
  let first = 0
  return written.map(([rows, texts, counts]) => {
    const bounds = Object.entries(texts).map(([column, [least, most]]): [string, readonly [Bound, Bound]] => {
      const readBound = boundReaders[columns[column]?.kind ?? 'text'] ?? ((text) => text)
      return [column, [readBound(least), readBound(most)]]
    })
    const chunk = {
      first,
      rows: checkCount('rows of a chunk', rows),
      bounds: Object.fromEntries(bounds),
      counts,
    }
    for (const [column, valueCounts] of Object.entries(counts))
      for (const count of Object.values(valueCounts)) checkCount(`count of ${column}`, count)
    first += rows
    return chunk
  })
}

// Limits that keep the log small.
const LONGEST_BOUND = 200
const MOST_COUNTS = 64

/** Checks that a value is short enough for a bound. */
export function isBound(value: unknown): value is Bound {
  return typeof value === 'bigint' || (typeof value === 'string' && value.length <= LONGEST_BOUND)
}

/** Checks that counts are few and short enough for the log. */
export function areCounts(counts: Readonly<Record<string, number>>): boolean {
  const values = Object.keys(counts)
  return values.length <= MOST_COUNTS && values.every((value) => value.length <= LONGEST_BOUND)
}
