import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { FRAME_HEADER_BYTES, writeFrame } from '../wire/encode.ts'

/** The most message bytes of one oracle file, before gzip and without frame headers. */
const MOST_MESSAGE_BYTES = 50_000_000
const CHUNK_BYTES = 256 * 1024
/**
 * A few chunks wait for gzip while the next one is made. Level 6 would save 3 % of the bytes, most of which are
 * random keys, and take a fifth longer.
 */
const GZIP = { level: 1, highWaterMark: 4 * CHUNK_BYTES, chunkSize: CHUNK_BYTES }

export interface FrameFile {
  readonly name: string
  readonly frames: number
  /** Size on disk. */
  readonly bytes: number
}

/**
 * Writes messages as gzip files of frames below `folder`, with bounded memory; at least one file.
 * A new file begins before its message bytes would pass `mostMessageBytes`; `nameOf` names part 0, 1, and so on.
 * A file has its name only once it is whole and on disk. Errors: those of the file system.
 */
export async function writeFrameFiles(
  folder: string,
  nameOf: (part: number) => string,
  messages: Iterable<Uint8Array>,
  mostMessageBytes = MOST_MESSAGE_BYTES,
): Promise<readonly FrameFile[]> {
  await mkdir(folder, { recursive: true })
  const iterator = messages[Symbol.iterator]()
  const source: Messages = { iterator, next: iterator.next() }
  const files: FrameFile[] = []
  do {
    const name = nameOf(files.length)
    const counted = { frames: 0 }
    const bytes = await writeWhole(join(folder, name), frameChunks(source, mostMessageBytes, counted))
    files.push({ name, frames: counted.frames, bytes })
  } while (source.next.done !== true)
  return files
}

/** Messages of which the next one is known before it is taken. */
interface Messages {
  readonly iterator: Iterator<Uint8Array>
  next: IteratorResult<Uint8Array>
}

/** Chunks of frames up to the end of one file. */
function* frameChunks(
  source: Messages,
  mostMessageBytes: number,
  counted: { frames: number },
): Generator<Buffer> {
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let used = 0
  let messageBytes = 0
  for (; source.next.done !== true; source.next = source.iterator.next()) {
    const message = source.next.value
    messageBytes += message.length
    if (messageBytes > mostMessageBytes && counted.frames > 0) break
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

/** Writes under a temporary name, then renames. Gives the size of the file. */
async function writeWhole(path: string, chunks: Iterable<Buffer>): Promise<number> {
  const temporary = `${path}.part`
  try {
    await pipeline(chunks, createGzip(GZIP), createWriteStream(temporary, { flush: true }))
    const { size } = await stat(temporary)
    await rename(temporary, path)
    return size
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
