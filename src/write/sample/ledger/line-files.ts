import { once } from 'node:events'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { writeWhole } from '../whole-file.ts'

const CHUNK_BYTES = 1024 * 1024
const LONGEST_LINE = 64 * 1024
/** Level 1 of zlib, with the table that makes it fastest: half the bytes of the text, and no more time than to make it. */
const GZIP = { level: 1, memLevel: 9, chunkSize: 256 * 1024 }

export interface LineFilesOptions {
  /** Made when missing. */
  readonly folder: string
  /** Name of file 0, 1, and so on. */
  readonly nameOf: (part: number) => string
  /** First line of the first file. */
  readonly header: string
  /** A new file begins after so many lines, the header not counted. */
  readonly partLines: number
  /** Called when a file is whole, with its size on disk. */
  readonly onFile: (name: string, lines: number, bytes: number) => void
}

interface OpenFile {
  readonly stream: PassThrough
  readonly written: Promise<void>
  lines: number
}

/**
 * Gzip files of lines that are written one after another; there is one even without a line. A file has its name only once
 * it is whole and on disk. Errors: those of the file system, from `drain` and `close`.
 */
export class LineFiles {
  readonly #options: LineFilesOptions
  readonly #finishing: Promise<void>[] = []
  #bytes = Buffer.allocUnsafe(CHUNK_BYTES)
  #at = 0
  #parts = 0
  #file: OpenFile
  /** Lines so far, without the header. */
  lines = 0

  constructor(options: LineFilesOptions) {
    this.#options = options
    this.#file = this.#openFile()
    this.#put(`${options.header}\n`)
  }

  /** A line of at most 21,000 characters, with its line break. */
  write(line: string): void {
    if (this.#file.lines >= this.#options.partLines) {
      this.#endFile()
      this.#file = this.#openFile()
    }
    this.#put(line)
    this.#file.lines += 1
    this.lines += 1
  }

  /** Lets gzip and the disk go on, and waits when they have fallen behind. */
  async drain(): Promise<void> {
    // Gzip goes on only between turns of the event loop.
    await setImmediate()
    await Promise.all(this.#finishing)
    this.#finishing.length = 0
    const { stream, written } = this.#file
    if (stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), written])
  }

  /** Finishes the last file. */
  async close(): Promise<void> {
    this.#endFile()
    await Promise.all(this.#finishing)
  }

  /** Leaves nothing of the file under way; one that has all its lines is finished. */
  async abandon(): Promise<void> {
    // A pipeline waits forever for the end of a stream that is destroyed between its last byte and its end.
    if (!this.#file.stream.writableEnded) this.#file.stream.destroy()
    await Promise.allSettled([this.#file.written, ...this.#finishing])
  }

  #openFile(): OpenFile {
    const { folder, nameOf, onFile } = this.#options
    const name = nameOf(this.#parts)
    this.#parts += 1
    const stream = new PassThrough({ highWaterMark: 4 * CHUNK_BYTES })
    const written = writeWhole(join(folder, name), stream, GZIP).then((bytes) =>
      onFile(name, file.lines, bytes),
    )
    // It is awaited later on.
    written.catch(() => {})
    const file: OpenFile = { stream, written, lines: 0 }
    return file
  }

  #put(line: string): void {
    if (this.#at + LONGEST_LINE > CHUNK_BYTES) this.#flush()
    this.#at += this.#bytes.write(line, this.#at)
  }

  #flush(): void {
    this.#file.stream.write(this.#bytes.subarray(0, this.#at))
    // The chunk before still waits for gzip.
    this.#bytes = Buffer.allocUnsafe(CHUNK_BYTES)
    this.#at = 0
  }

  #endFile(): void {
    this.#flush()
    this.#file.stream.end()
    this.#finishing.push(this.#file.written)
  }
}
