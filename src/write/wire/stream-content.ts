import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { sentenceOf } from '../../base/errors.ts'
import { FileFault } from './faults.ts'

const READ_AHEAD = 256 * 1024

/**
 * Streams the content of a file, unpacked if it is gzip, with bounded memory; a chunk is valid only during the call.
 * Returns the SHA-256 of the file on disk, in hex, and whether zero bytes follow its gzip stream.
 * Errors: FileFault for an incomplete file; those of `visit`; the reason of the signal.
 */
export async function streamContent(
  path: string,
  isGzip: boolean,
  visit: (chunk: Buffer) => void,
  signal?: AbortSignal,
): Promise<{ readonly sha256: string; readonly isPadded: boolean }> {
  const hash = createHash('sha256')
  const stats = await stat(path)
  if (!stats.isFile()) throw new FileFault('it is not a regular file')
  const file = createReadStream(path, { highWaterMark: READ_AHEAD })
  file.on('data', (chunk) => hash.update(chunk))
  const visitText = refusingOtherContent(isGzip, (chunk) => {
    signal?.throwIfAborted()
    visit(chunk)
  })
  let isPadded = false
  if (isGzip) isPadded = await unpack(path, stats.size, file, visitText)
  else for await (const chunk of file as AsyncIterable<Buffer>) visitText(chunk)
  return { sha256: hash.digest('hex'), isPadded }
}

const UTF_16 = ['fffe', 'feff']

/** Throws if the first bytes are those of gzip within gzip or of UTF-16. No frame and no text starts with them. */
function refusingOtherContent(isGzip: boolean, visit: (chunk: Buffer) => void): (chunk: Buffer) => void {
  let isFirst = true
  return (chunk) => {
    const mark = isFirst ? chunk.subarray(0, 2).toString('hex') : ''
    isFirst = false
    if (isGzip && mark === '1f8b') throw new FileFault('it is gzip within gzip; unpack it once')
    if (UTF_16.includes(mark)) throw new FileFault('it is UTF-16; convert it to UTF-8')
    visit(chunk)
  }
}

/** Unpacks a gzip file; returns true if zero bytes follow, with which tapes and some stores pad files. */
async function unpack(
  path: string,
  size: number,
  file: ReturnType<typeof createReadStream>,
  visit: (chunk: Buffer) => void,
): Promise<boolean> {
  const gunzip = createGunzip({ chunkSize: READ_AHEAD })
  file.on('error', (error) => gunzip.destroy(error))
  file.pipe(gunzip)
  let bytes = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytes += chunk.length
      refuseBomb(bytes, size)
      visit(chunk)
    }
  } catch (error) {
    throw isZlibError(error) ? gzipFault(error, bytes, size) : error
  } finally {
    file.destroy()
  }
  if (gunzip.bytesWritten === size) return false
  if (await isZeroFrom(path, gunzip.bytesWritten)) return true
  throw new FileFault(
    `${size - gunzip.bytesWritten} bytes follow the end of the gzip stream at byte ${gunzip.bytesWritten}; ` +
      'expected the file to end there',
  )
}

/** Content up to this size is accepted at any compression ratio. */
const FREE_BYTES = 2 ** 28
/**
 * Highest accepted ratio. Files of the network unpack to 3 to 30 times their size, gzip of one repeated byte to 1,000
 * times.
 */
const MOST_TIMES = 200

function refuseBomb(bytes: number, size: number): void {
  if (bytes <= FREE_BYTES || bytes <= size * MOST_TIMES) return
  throw new FileFault(`${size} bytes unpack to more than ${MOST_TIMES} times as many, the limit`)
}

async function isZeroFrom(path: string, start: number): Promise<boolean> {
  for await (const chunk of createReadStream(path, { start }) as AsyncIterable<Buffer>)
    if (chunk.some((byte) => byte !== 0)) return false
  return true
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

function gzipFault(error: unknown, position: number, size: number): FileFault {
  const sentence =
    `the gzip stream breaks after ${position} bytes of content (${sentenceOf(error)}, file of ${size} bytes); ` +
    'expected a whole gzip file'
  return new FileFault(sentence, { cause: error })
}
