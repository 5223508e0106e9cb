import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import type { CheckedFiles } from '../../lake/integrity/checked-files.ts'
import type { DigestedFile } from '../../lake/integrity/verdict.ts'
import { type ByteRange, byteRangeOf } from './byte-range.ts'
import { endWith, type Taking, taken } from './taken.ts'

const PIECE_BYTES = 65_536

/**
 * Sets the status and the headers for a file, or for the range of it that is asked for, and returns the body; undefined for a range that it
 * has none of. The tag is strong, without quotes. Errors: those of `CheckedFiles.stream`; then status and headers are as before.
 */
export async function bodyOfFile(
  checkedFiles: Pick<CheckedFiles, 'stream'>,
  file: DigestedFile,
  tag: string,
  taking: Taking,
): Promise<Readable | undefined> {
  const { request, reply, signal } = taking
  const { path, bytes } = file
  const range = rangeOf(request, tag, bytes)
  setRange(reply, bytes, range)
  if (range === 'none') return undefined
  const isHead = request.method === 'HEAD'
  const pieces = checkedFiles.stream(
    [file],
    (nameOf) => (isHead ? nothing() : piecesOf(nameOf(path), range, bytes)),
    signal,
  )
  endWith(signal, pieces)
  const first = await unlessGone(pieces.next(), signal).catch((error) => {
    reply.code(200)
    for (const name of ['Accept-Ranges', 'Content-Length', 'Content-Range']) reply.removeHeader(name)
    throw error
  })
  // A stream, even an empty one, leaves the length alone that was set.
  return isHead ? Readable.from([]) : Readable.from(taken(first, pieces, taking), { objectMode: false })
}

/** Refuses a range that a file has no byte of. Errors: `range_not_satisfiable`. */
export function refuseRange({ headers }: FastifyRequest, bytes: number): never {
  const range = quoted(headers.range ?? '')
  return fail('range_not_satisfiable', `Range is ${range}; the file has ${bytes} bytes, from 0.`)
}

/** The range that a GET asks for. A range of other bytes than those of the tag is ignored. Source: RFC 9110, 13.1.5. */
function rangeOf({ method, headers }: FastifyRequest, tag: string, bytes: number): ByteRange {
  const ifRange = headers['if-range']
  if (method !== 'GET' || (ifRange !== undefined && ifRange !== `"${tag}"`)) return undefined
  return byteRangeOf(headers.range, bytes)
}

function setRange(reply: FastifyReply, bytes: number, range: ByteRange): void {
  reply.header('Accept-Ranges', 'bytes')
  if (range === 'none')
    reply.code(416).headers({ 'Content-Range': `bytes */${bytes}`, 'Cache-Control': 'no-store' })
  else if (range === undefined) reply.header('Content-Length', bytes)
  else {
    const { first, last } = range
    reply.code(206).headers({
      'Content-Length': last - first + 1,
      'Content-Range': `bytes ${first}-${last}/${bytes}`,
    })
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The bytes of a range, or of the whole file, in pieces. */
async function* piecesOf(
  path: string,
  range: Exclude<ByteRange, 'none'>,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  let [place, end] = range === undefined ? [0, bytes] : [range.first, range.last + 1]
  const handle = await open(path, 'r')
  try {
    while (place < end) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - place))
      const { bytesRead } = await handle.read(piece, 0, piece.length, place)
      if (bytesRead === 0) return
      place += bytesRead
      yield piece.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}
