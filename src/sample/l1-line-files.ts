import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { putText, type Text } from './l1-text.ts'

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
  readonly header: string
  /** A new file begins after so many lines, the header not counted. */
  readonly partLines?: number
  /** Called when a file is whole, with its size on disk. */
  readonly onFile: (name: string, lines: number, bytes: number) => void
}

/** Gzip files of lines that are written one after another. */
export interface LineFiles {
  /** Lines so far, without the header. */
  readonly lines: number
  /** Where the next line goes; it may have 64 KiB. */
  line(): Text
  /** The line is whole, with its line break. */
  endLine(): void
  /** Lets gzip and the disk go on, and waits when they have fallen behind. */
  drain(): Promise<void>
  /** Finishes the last file. */
  close(): Promise<void>
  /** Leaves nothing of the file under way. */
  abandon(): Promise<void>
}

interface OpenFile {
  readonly name: string
  readonly temporary: string
  readonly stream: Transform
  readonly written: Promise<void>
}

/**
 * Opens files of lines; there is one even without a line. A file has its name only once it is whole and on disk.
 * Errors: those of the file system, from `drain` and `close`.
 */
export async function openLineFiles(options: LineFilesOptions): Promise<LineFiles> {
  const { folder, nameOf, header, partLines = Number.POSITIVE_INFINITY } = options
  await mkdir(folder, { recursive: true })
  const finishing: Promise<void>[] = []
  const text: Text = { bytes: Buffer.allocUnsafe(CHUNK_BYTES), at: 0 }
  let parts = 0
  let lines = 0
  let linesBefore = 0
  let file = openFile()
  putText(text, `${header}\n`)

  function openFile(): OpenFile {
    const name = nameOf(parts)
    parts += 1
    const temporary = join(folder, `${name}.part`)
    const stream = createGzip(GZIP)
    const written = pipeline(stream, createWriteStream(temporary, { flush: true }))
    // It is awaited later on.
    written.catch(() => {})
    return { name, temporary, stream, written }
  }

  function flush(): void {
    file.stream.write(text.bytes.subarray(0, text.at))
    // The chunk before still waits for gzip.
    text.bytes = Buffer.allocUnsafe(CHUNK_BYTES)
    text.at = 0
  }

  async function finish({ name, temporary, written }: OpenFile, own: number): Promise<void> {
    await written
    const { size } = await stat(temporary)
    await rename(temporary, join(folder, name))
    options.onFile(name, own, size)
  }

  function endFile(): void {
    flush()
    file.stream.end()
    const finished = finish(file, lines - linesBefore)
    finished.catch(() => {})
    finishing.push(finished)
    linesBefore = lines
  }

  return {
    get lines() {
      return lines
    },
    line() {
      if (lines - linesBefore >= partLines) {
        endFile()
        file = openFile()
      }
      if (text.at + LONGEST_LINE > CHUNK_BYTES) flush()
      return text
    },
    endLine() {
      lines += 1
    },
    async drain() {
      // Gzip goes on only between turns of the event loop.
      await setImmediate()
      await Promise.all(finishing)
      finishing.length = 0
      if (file.stream.writableNeedDrain) await Promise.race([once(file.stream, 'drain'), file.written])
    },
    async close() {
      endFile()
      await Promise.all(finishing)
    },
    async abandon() {
      file.stream.destroy()
      await Promise.allSettled([file.written, ...finishing])
      await rm(file.temporary, { force: true })
    },
  }
}
