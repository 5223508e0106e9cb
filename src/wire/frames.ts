import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { sentenceOf } from '../errors.ts'
import { FileFault } from './faults.ts'
import { brokenMember } from './gzip-members.ts'

/** The oracles never write a longer message. */
const LONGEST_MESSAGE = 15_000_000
const LENGTH_BYTES = 4
const READ_AHEAD = 256 * 1024

/** What was read of one file of frames. */
export interface FramesRead {
  /** SHA-256 of the file as it lies on disk, in hex. */
  readonly sha256: string
  readonly frames: number
}

/** A message lies in `buffer` from `start` to `end`; the buffer is only valid during the call. */
export type VisitFrame = (buffer: Buffer, start: number, end: number, ordinal: number) => void

/**
 * Streams a gzip file of frames, each a 4-byte big-endian length and one message, with bounded memory.
 * Errors: FileFault for anything that is not such a file; what `visit` throws is passed on.
 */
export async function readFrames(path: string, visit: VisitFrame): Promise<FramesRead> {
  const hash = createHash('sha256')
  const found = await stat(path)
  if (!found.isFile()) throw new FileFault('it is no regular file; a regular file is accepted')
  const { size } = found
  const file = createReadStream(path, { highWaterMark: READ_AHEAD })
  const gunzip = createGunzip({ chunkSize: READ_AHEAD })
  file.on('data', (chunk) => hash.update(chunk))
  file.on('error', (error) => gunzip.destroy(error))
  file.pipe(gunzip)

  const cutter = new FrameCutter(visit)
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) cutter.push(chunk)
  } catch (error) {
    throw isZlibError(error) ? await gzipFault(error, path, cutter.position, size) : error
  } finally {
    file.destroy()
  }
  if (gunzip.bytesWritten !== size) {
    throw new FileFault(
      `${size - gunzip.bytesWritten} bytes follow the end of the gzip stream at byte ${gunzip.bytesWritten}; ` +
        'a file that ends with its gzip stream is accepted',
    )
  }
  cutter.finish()
  return { sha256: hash.digest('hex'), frames: cutter.frames }
}

/** Cuts a stream of chunks into frames; a frame that spans chunks is put together once it is whole. */
class FrameCutter {
  readonly #visit: VisitFrame
  #waiting: Buffer[] = []
  #waitingBytes = 0
  /** Bytes that the frame at the front needs before it can be looked at again. */
  #needed = LENGTH_BYTES
  #before = 0
  frames = 0

  constructor(visit: VisitFrame) {
    this.#visit = visit
  }

  /** Uncompressed bytes seen so far. */
  get position(): number {
    return this.#before + this.#waitingBytes
  }

  push(chunk: Buffer): void {
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.length
    if (this.#waitingBytes < this.#needed) return
    const buffer = this.#waiting.length === 1 ? chunk : Buffer.concat(this.#waiting, this.#waitingBytes)
    const end = this.#cut(buffer)
    this.#before += end
    this.#waiting = end === buffer.length ? [] : [buffer.subarray(end)]
    this.#waitingBytes = buffer.length - end
  }

  /** Visits the whole frames of a buffer and gives where the first that is not whole begins. */
  #cut(buffer: Buffer): number {
    let start = 0
    while (start + LENGTH_BYTES <= buffer.length) {
      const length = buffer.readUInt32BE(start)
      if (length > LONGEST_MESSAGE) {
        throw new FileFault(
          `frame ${this.frames} at byte ${this.#before + start} says it is ${length} bytes long; ` +
            `at most ${LONGEST_MESSAGE} is accepted`,
        )
      }
      const end = start + LENGTH_BYTES + length
      this.#needed = LENGTH_BYTES + length
      if (end > buffer.length) return start
      this.#visit(buffer, start + LENGTH_BYTES, end, this.frames)
      this.frames += 1
      start = end
    }
    this.#needed = LENGTH_BYTES
    return start
  }

  finish(): void {
    if (this.#waitingBytes === 0) return
    throw new FileFault(
      `frame ${this.frames} at byte ${this.#before} is cut: ${this.#waitingBytes} bytes are left; ` +
        'a whole frame is accepted',
    )
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

async function gzipFault(error: unknown, path: string, position: number, size: number): Promise<FileFault> {
  const start = await brokenMember(path, size)
  const sentence =
    start === 0
      ? `the gzip stream breaks after ${position} bytes of content (${sentenceOf(error)}, file of ${size} bytes); ` +
        'a whole gzip file is accepted'
      : `what follows the gzip stream that ends at byte ${start} is no whole gzip stream ` +
        `(${sentenceOf(error)}); a file that ends with its gzip stream is accepted`
  return new FileFault(sentence, { cause: error })
}
