import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { SAFE_READ_FLAGS } from '../../lake/log/log-entry.ts'

const LENGTH_BYTES = 8
/** Limit of one read: a sparse file can claim any length. */
const MOST_READ_BYTES = 1e9
const TRAILER_BYTES = LENGTH_BYTES + 32

/** Size of a write; other requests run between two writes. */
const PIECE_BYTES = 1 << 18

/** A part of a file. */
export interface FilePart {
  readonly start: number
  readonly length: number
  readonly checksum: number
}

/** A file with a wrong checksum or length, or one that was closed before a read. */
export class DamagedFile extends Error {
  readonly path: string
  readonly isClosed: boolean

  constructor(path: string, isClosed = false) {
    super(`${path} is ${isClosed ? 'closed' : 'damaged'}`)
    this.path = path
    this.isClosed = isClosed
  }
}

/** Writes a magic, then parts, then contents with their offsets. */
export class PartsWriter {
  readonly #handle: FileHandle
  #pending: Buffer[] = []
  #pendingBytes = 0
  #end = 0

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async create(path: string, magic: string): Promise<PartsWriter> {
    const writer = new PartsWriter(await open(path, 'w'))
    writer.append(Buffer.from(magic))
    return writer
  }

  /** Queues bytes for the next `flush` or `finish`. */
  append(bytes: Buffer): FilePart {
    const start = this.#end
    this.#pending.push(bytes)
    this.#pendingBytes += bytes.length
    this.#end += bytes.length
    return { start, length: bytes.length, checksum: crc32(bytes) }
  }

  /** Writes the queued bytes if there are at least `least`. */
  async flush(least = PIECE_BYTES): Promise<void> {
    if (this.#pendingBytes < least) return
    const bytes = Buffer.concat(this.#pending)
    this.#pending = []
    this.#pendingBytes = 0
    await this.#handle.appendFile(bytes)
  }

  async finish(contents: string): Promise<void> {
    const text = Buffer.from(contents)
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeBigUInt64LE(BigInt(text.length))
    this.append(Buffer.concat([text, length, checksumOf(text, length)]))
    await this.flush(0)
    await this.#handle.sync()
    await this.close()
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }
}

/** An open file of parts. */
export interface PartsFile {
  readonly path: string
  readonly contents: string
  /** Reads a part into a buffer of its own, so that it can be viewed as words. Errors: DamagedFile. */
  read(part: FilePart): Buffer
  close(): void
}

/**
 * Opens a file for `open`, and closes it if that fails. Errors: DamagedFile; Error for an unreadable file; those of
 * `open`.
 */
export function openParts<T>(path: string, magic: string, open: (file: PartsFile) => T): T {
  const expected = Buffer.from(magic)
  const descriptor = openSync(path, SAFE_READ_FLAGS)
  let isClosed = false
  const facts = fstatSync(descriptor)
  const { size } = facts
  const readAt = (start: number, length: number) => {
    if (!(length >= 0 && length <= MOST_READ_BYTES && start + length <= size)) throw new DamagedFile(path)
    // The buffer has whole 32-bit words, with a word of zeros after the data.
    const bytes = Buffer.from(new ArrayBuffer((length + 7) & ~3), 0, length)
    if (readInto(descriptor, bytes, start) !== length) throw new DamagedFile(path)
    return bytes
  }
  try {
    if (
      !facts.isFile() ||
      size < expected.length + TRAILER_BYTES ||
      !readAt(0, expected.length).equals(expected)
    ) {
      throw new DamagedFile(path)
    }
    const trailer = readAt(size - TRAILER_BYTES, TRAILER_BYTES)
    const length = Number(trailer.readBigUInt64LE())
    // A wrong length must not cause a read or an allocation.
    if (length > size - expected.length - TRAILER_BYTES) throw new DamagedFile(path)
    const text = readAt(size - TRAILER_BYTES - length, length)
    const checksum = checksumOf(text, trailer.subarray(0, LENGTH_BYTES))
    if (!checksum.equals(trailer.subarray(LENGTH_BYTES))) throw new DamagedFile(path)
    return open({
      path,
      contents: text.toString(),
      read(part) {
        // The descriptor may belong to another file by now.
        if (isClosed) throw new DamagedFile(path, isClosed)
        const bytes = readAt(part.start, part.length)
        if (crc32(bytes) !== part.checksum) throw new DamagedFile(path)
        return bytes
      },
      close() {
        closeSync(descriptor)
        isClosed = true
      },
    })
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** Returns the number of bytes read; -1 after a read error. */
function readInto(descriptor: number, bytes: Buffer, start: number): number {
  try {
    return readSync(descriptor, bytes, 0, bytes.length, start)
  } catch {
    return -1
  }
}

function checksumOf(...parts: readonly Buffer[]): Buffer {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return sum.digest()
}
