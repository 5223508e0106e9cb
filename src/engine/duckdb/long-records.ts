import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { CsvOptions } from '../../lake/csv-stage.ts'

/** A record beyond the limit: its line, counted from 1, and its bytes from `start` up to but not including `end`. */
export interface LongRecord {
  readonly line: bigint
  readonly start: number
  readonly end: number
  /** Its first bytes. */
  readonly head: Buffer
}

/** The longest record within a limit, in bytes, and those beyond it. */
interface RecordLengths {
  readonly longest: number
  readonly beyond: readonly LongRecord[]
}

/** Files with more records beyond the limit are refused whole. */
const MOST_LONG = 1000
const HEAD_BYTES = 64 * 1024

const QUOTE = 0x22
const LF = 0x0a
const CR = 0x0d

type CsvFile = { readonly path: string } & Pick<CsvOptions, 'isGzip' | 'newLine'>

/** Measures the records of a CSV file; a line end within quotes ends none. Memory is bounded. */
export async function measureRecords(file: CsvFile, most: number): Promise<RecordLengths> {
  const end = file.newLine === '\r' ? CR : LF
  const beyond: LongRecord[] = []
  let head: Buffer[] = []
  let headBytes = 0
  let [longest, line, start, offset, isQuoted] = [0, 1n, 0, 0, false]

  const keepHead = (bytes: Buffer) => {
    if (headBytes >= HEAD_BYTES) return
    head.push(Buffer.from(bytes.subarray(0, HEAD_BYTES - headBytes)))
    headBytes += bytes.length
  }
  const finish = (at: number) => {
    if (at - start <= most) longest = Math.max(longest, at - start)
    else if (beyond.length <= MOST_LONG) beyond.push({ line, start, end: at, head: Buffer.concat(head) })
    line += 1n
    start = at
    head = []
    headBytes = 0
  }

  for await (const chunk of contentOf(file)) {
    let from = 0
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index]
      if (byte === QUOTE) isQuoted = !isQuoted
      else if (byte === end && !isQuoted) {
        if (offset + index + 1 - start > most) keepHead(chunk.subarray(from, index + 1))
        finish(offset + index + 1)
        from = index + 1
      }
    }
    keepHead(chunk.subarray(from))
    offset += chunk.length
  }
  if (offset > start) finish(offset)
  return { longest, beyond }
}

export const hasTooManyLong = ({ beyond }: RecordLengths): boolean => beyond.length > MOST_LONG

/** Copies a file without some records, unpacked. */
export async function copyWithoutRecords(
  file: CsvFile,
  left: readonly LongRecord[],
  to: string,
): Promise<void> {
  await pipeline(Readable.from(without(contentOf(file), left)), createWriteStream(to))
}

async function* without(chunks: AsyncIterable<Buffer>, left: readonly LongRecord[]): AsyncGenerator<Buffer> {
  let offset = 0
  let index = 0
  for await (const chunk of chunks) {
    const end = offset + chunk.length
    let from = offset
    for (let record = left[index]; record !== undefined && record.start < end; record = left[index]) {
      if (record.start > from) yield Buffer.from(chunk.subarray(from - offset, record.start - offset))
      from = Math.min(record.end, end)
      if (record.end > end) break
      index += 1
    }
    if (from < end) yield Buffer.from(chunk.subarray(from - offset))
    offset = end
  }
}

async function* contentOf({ path, isGzip }: CsvFile): AsyncGenerator<Buffer> {
  const file = createReadStream(path)
  const content = isGzip ? file.pipe(createGunzip()) : file
  file.on('error', (error) => content.destroy(error))
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) yield chunk
  } finally {
    file.destroy()
  }
}
