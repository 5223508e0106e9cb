import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { CsvOptions } from '../../../write/ports/csv-stage.ts'

/** A record beyond the limit: its number from 1, bytes `start` to `end`, exclusive. */
export interface LongRecord {
  readonly record: bigint
  readonly start: number
  readonly end: number
  readonly head: Buffer
}

/** Longest record within a limit, and records beyond it. */
interface RecordLengths {
  readonly longest: number
  /** Records without header and blank lines. */
  readonly records: number
  readonly beyond: readonly LongRecord[]
}

/** A file with more over-long records is refused. */
const MOST_LONG = 1000
const HEAD_BYTES = 64 * 1024

const BYTE_ORDER_MARK = Buffer.from('efbbbf', 'hex')
const QUOTE = 0x22
const COMMA = 0x2c
const LF = 0x0a
const CR = 0x0d

type CsvFile = { readonly path: string } & Pick<CsvOptions, 'isGzip' | 'newLine' | 'hasHeader'>

/** Finds record ends as the engine does: only a quote at the start of a cell opens it. */
class RecordEnds {
  readonly #end: number
  #isQuoted = false
  #isClosing = false
  #isCellStart = true

  constructor(newLine: CsvOptions['newLine']) {
    this.#end = newLine === '\r' ? CR : LF
  }

  /** Returns true if this byte ends a record. */
  take(byte: number | undefined): boolean {
    if (byte === QUOTE) {
      // A quote after a closing quote is an escaped quote.
      if (this.#isClosing || this.#isCellStart) this.#isQuoted = true
      else if (this.#isQuoted) {
        this.#isQuoted = false
        this.#isClosing = true
        return false
      }
      this.#isClosing = false
      this.#isCellStart = false
      return false
    }
    this.#isClosing = false
    if (this.#isQuoted) return false
    this.#isCellStart = byte === COMMA || byte === this.#end
    return byte === this.#end
  }
}

/** Measures the records of a CSV file in bounded memory. */
export async function measureRecords(file: CsvFile, most: number): Promise<RecordLengths> {
  const ends = new RecordEnds(file.newLine)
  const beyond: LongRecord[] = []
  let head: Buffer[] = []
  let headBytes = 0
  let [longest, records, record, start, offset] = [0, 0, 1n, 0, 0]

  const keepHead = (bytes: Buffer) => {
    if (headBytes >= HEAD_BYTES) return
    head.push(Buffer.from(bytes.subarray(0, HEAD_BYTES - headBytes)))
    headBytes += bytes.length
  }
  const finish = (at: number, isBlank: boolean) => {
    if (at - start <= most) longest = Math.max(longest, at - start)
    else if (beyond.length <= MOST_LONG) beyond.push({ record, start, end: at, head: Buffer.concat(head) })
    if (!isBlank) records += 1
    record += 1n
    start = at
    head = []
    headBytes = 0
  }

  for await (const chunk of contentOf(file)) {
    let from = 0
    const first = offset === 0 && chunk.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0
    for (let index = first; index < chunk.length; index += 1) {
      if (!ends.take(chunk[index])) continue
      const at = offset + index + 1
      if (at - start > most) keepHead(chunk.subarray(from, index + 1))
      finish(at, at - start <= 2 && (at - start === 1 || chunk[index - 1] === CR))
      from = index + 1
    }
    keepHead(chunk.subarray(from))
    offset += chunk.length
  }
  if (offset > start) finish(offset, false)
  return { longest, records: records - (file.hasHeader ? 1 : 0), beyond }
}

export const hasTooManyLong = ({ beyond }: RecordLengths): boolean => beyond.length > MOST_LONG

/** Copies a file, unpacked, without some records. */
export async function copyWithoutRecords(
  file: CsvFile,
  leftOut: readonly LongRecord[],
  to: string,
): Promise<void> {
  await pipeline(Readable.from(without(contentOf(file), leftOut)), createWriteStream(to))
}

async function* without(
  chunks: AsyncIterable<Buffer>,
  leftOut: readonly LongRecord[],
): AsyncGenerator<Buffer> {
  let offset = 0
  let index = 0
  for await (const chunk of chunks) {
    const end = offset + chunk.length
    let from = offset
    for (let record = leftOut[index]; record !== undefined && record.start < end; record = leftOut[index]) {
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
