import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { createGzip } from 'node:zlib'

const CHUNK_BYTES = 1024 * 1024
const LONGEST_LINE = 64 * 1024
/** Level 1 of zlib, with the table that makes it fastest: half the bytes of the text, and no more time than to make it. */
const GZIP = { level: 1, memLevel: 9, highWaterMark: 4 * CHUNK_BYTES, chunkSize: 256 * 1024 }

export interface LineFilesOptions {
  /** Made when missing. */
  readonly folder: string
  /** Name of file 0, 1, and so on. */
  readonly nameOf: (part: number) => string
  /** First line of the first file. */
  readonly header?: string
  /** A new file begins after so many lines, the header not counted. */
  readonly partLines?: number
  readonly gzip: boolean
  /** Called when a file is whole, with its size on disk. */
  readonly onFile: (name: string, lines: number, bytes: number) => void
}

interface OpenFile {
  readonly name: string
  readonly temporary: string
  readonly stream: Transform
  readonly written: Promise<void>
}

/**
 * Files of lines that are written one after another; there is one even without a line. A file has its name only once it is
 * whole and on disk. Errors: those of the file system, from `drain` and `close`.
 */
export class LineFiles {
  readonly #options: LineFilesOptions
  readonly #finishing: Promise<void>[] = []
  #bytes = Buffer.allocUnsafe(CHUNK_BYTES)
  #at = 0
  #parts = 0
  #linesBefore = 0
  #file: OpenFile
  /** Lines so far, without the header. */
  lines = 0

  private constructor(options: LineFilesOptions) {
    this.#options = options
    this.#file = this.#openFile()
    if (options.header !== undefined) this.#put(`${options.header}\n`)
  }

  static async open(options: LineFilesOptions): Promise<LineFiles> {
    await mkdir(options.folder, { recursive: true })
    return new LineFiles(options)
  }

  /** A line of at most 21,000 characters, with its line break. */
  write(line: string): void {
    if (this.lines - this.#linesBefore >= (this.#options.partLines ?? Number.POSITIVE_INFINITY)) {
      this.#endFile()
      this.#file = this.#openFile()
    }
    this.#put(line)
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

  /** Leaves nothing of the file under way. */
  async abandon(): Promise<void> {
    this.#file.stream.destroy()
    await Promise.allSettled([this.#file.written, ...this.#finishing])
    await rm(this.#file.temporary, { force: true })
  }

  #openFile(): OpenFile {
    const { folder, nameOf, gzip } = this.#options
    const name = nameOf(this.#parts)
    this.#parts += 1
    const temporary = join(folder, `${name}.part`)
    const stream = gzip ? createGzip(GZIP) : new PassThrough({ highWaterMark: GZIP.highWaterMark })
    const written = pipeline(stream, createWriteStream(temporary, { flush: true }))
    // It is awaited later on.
    written.catch(() => {})
    return { name, temporary, stream, written }
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
    const finished = this.#finish(this.#file, this.lines - this.#linesBefore)
    finished.catch(() => {})
    this.#finishing.push(finished)
    this.#linesBefore = this.lines
  }

  async #finish({ name, temporary, written }: OpenFile, lines: number): Promise<void> {
    await written
    const { size } = await stat(temporary)
    await rename(temporary, join(this.#options.folder, name))
    this.#options.onFile(name, lines, size)
  }
}
