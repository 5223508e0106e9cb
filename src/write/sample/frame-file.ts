import { FRAME_HEADER_BYTES, writeFrame } from '../wire/encode.ts'
import { writeWhole } from './whole-file.ts'

const CHUNK_BYTES = 256 * 1024
/**
 * A few chunks wait for gzip while the next one is made. Level 6 would save 3 % of the bytes, most of which are
 * random keys, and take a fifth longer.
 */
const GZIP = { level: 1, highWaterMark: 4 * CHUNK_BYTES, chunkSize: CHUNK_BYTES }

export interface FrameFile {
  readonly path: string
  readonly frames: number
  /** Size on disk. */
  readonly bytes: number
}

/**
 * Writes messages as gzip files of frames, with bounded memory; at least one file. A new file begins after
 * `mostFrames`; `pathOf` names part 0, 1, and so on, in folders that are made when missing.
 * A file has its name only once it is whole and on disk. Errors: those of the file system.
 */
export async function writeFrameFiles(
  pathOf: (part: number) => string,
  messages: Iterable<Uint8Array>,
  mostFrames = Number.POSITIVE_INFINITY,
): Promise<readonly FrameFile[]> {
  const iterator = messages[Symbol.iterator]()
  const source: Messages = { iterator, next: iterator.next() }
  const files: FrameFile[] = []
  do {
    const path = pathOf(files.length)
    const counted = { frames: 0 }
    const bytes = await writeWhole(path, frameChunks(source, mostFrames, counted), GZIP)
    files.push({ path, frames: counted.frames, bytes })
  } while (source.next.done !== true)
  return files
}

/** Messages of which the next one is known before it is taken. */
interface Messages {
  readonly iterator: Iterator<Uint8Array>
  next: IteratorResult<Uint8Array>
}

/** Chunks of frames up to the end of one file. */
function* frameChunks(source: Messages, mostFrames: number, counted: { frames: number }): Generator<Buffer> {
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let used = 0
  for (; source.next.done !== true && counted.frames < mostFrames; source.next = source.iterator.next()) {
    const message = source.next.value
    if (used + FRAME_HEADER_BYTES + message.length > chunk.length) {
      yield chunk.subarray(0, used)
      // The chunk before may still wait for gzip.
      chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, FRAME_HEADER_BYTES + message.length))
      used = 0
    }
    used = writeFrame(chunk, used, message)
    counted.frames += 1
  }
  yield chunk.subarray(0, used)
}
