import { type PartFile, writeParts } from './whole-file.ts'

const LENGTH_BYTES = 4
const CHUNK_BYTES = 256 * 1024
/**
 * A few chunks are buffered for gzip. Level 6 would save 3 % of the bytes, most of which are random keys, and take a
 * fifth longer.
 */
const gzip = { level: 1, highWaterMark: 4 * CHUNK_BYTES, chunkSize: CHUNK_BYTES }

/** Writes messages as gzip files of frames, with a new file after `mostFrames`. Errors: those of `writeParts`. */
export function writeFrameFiles(
  pathOf: (part: number) => string,
  messages: Iterable<Uint8Array>,
  mostFrames = Number.POSITIVE_INFINITY,
): Promise<readonly PartFile[]> {
  return writeParts({ pathOf, items: messages, mostItems: mostFrames, chunksOf: frameChunks, gzip })
}

/** Yields chunks of frames: each a 4-byte big-endian length and a message. */
function* frameChunks(messages: Iterable<Uint8Array>): Generator<Buffer> {
  let frames: Uint8Array[] = []
  let bytes = 0
  for (const message of messages) {
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32BE(message.length)
    frames.push(length, message)
    bytes += LENGTH_BYTES + message.length
    if (bytes < CHUNK_BYTES) continue
    yield Buffer.concat(frames)
    frames = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(frames)
}
