import { FileFault } from './faults.ts'
import { streamContent } from './stream-content.ts'

/** Longest accepted message; the oracles write no longer ones. */
const LONGEST_MESSAGE = 15_000_000
const LENGTH_BYTES = 4

/** Result of reading a file of frames. */
export interface FramesRead {
  /** SHA-256 of the file on disk, in hex. */
  readonly sha256: string
  readonly frames: number
}

/** A message is `buffer` from `start` to `end`, valid during the call. */
export type VisitFrame = (buffer: Buffer, start: number, end: number, ordinal: number) => void

/**
 * Streams a gzip file of frames, each a 4-byte big-endian length and one message, with bounded memory.
 * Errors: FileFault for any other content; those of `visit`; the reason of the signal.
 */
export async function readFrames(path: string, visit: VisitFrame, signal?: AbortSignal): Promise<FramesRead> {
  const cutter = new FrameCutter(visit)
  const { sha256 } = await streamContent(path, true, (chunk) => cutter.push(chunk), signal)
  cutter.finish()
  return { sha256, frames: cutter.frames }
}

/** Cuts a stream of chunks into frames. A frame that spans chunks is joined once it is complete. */
class FrameCutter {
  readonly #visit: VisitFrame
  #waiting: Buffer[] = []
  #waitingBytes = 0
  /** Bytes needed for the first incomplete frame. */
  #needed = LENGTH_BYTES
  #before = 0
  frames = 0

  constructor(visit: VisitFrame) {
    this.#visit = visit
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

  /** Visits complete frames; returns the position of the first incomplete one. */
  #cut(buffer: Buffer): number {
    let start = 0
    while (start + LENGTH_BYTES <= buffer.length) {
      const length = buffer.readUInt32BE(start)
      if (length > LONGEST_MESSAGE) {
        throw new FileFault(
          `frame ${this.frames} at byte ${this.#before + start} says it is ${length} bytes long; ` +
            `expected at most ${LONGEST_MESSAGE}`,
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
        'expected a whole frame',
    )
  }
}
