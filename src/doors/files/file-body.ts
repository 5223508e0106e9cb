import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import type { CheckedFiles } from '../../lake/integrity/checked-files.ts'
import type { DigestedFile } from '../../lake/integrity/verdict.ts'
import { type Download, openBody } from './download.ts'

/** Inclusive range; `none` if the file has no byte of it; undefined for the whole file. */
type ByteRange = { readonly first: number; readonly last: number } | 'none' | undefined

/** Parses a Range header. Ignores several ranges, other units and invalid values. Source: RFC 9110, 14. */
export function readByteRange(header: string | undefined, bytes: number): ByteRange {
  const [, from = '', to = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  if (from === '') {
    const length = Math.min(Number(to), bytes)
    return length === 0 ? 'none' : { first: bytes - length, last: bytes - 1 }
  }
  const [first, last] = [Number(from), to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)]
  if (to !== '' && Number(to) < first) return undefined
  return first >= bytes ? 'none' : { first, last }
}

const PIECE_BYTES = 65_536

/**
 * Sets status and headers for a file or its requested range, and returns the body; undefined for a range outside the file.
 * The tag is strong, without quotes. Errors: those of `CheckedFiles.stream`; it restores status and headers first.
 */
export async function openFileBody(
  checkedFiles: Pick<CheckedFiles, 'stream'>,
  file: DigestedFile,
  tag: string,
  download: Download,
): Promise<Readable | undefined> {
  const { request, reply, signal } = download
  const { path, bytes } = file
  const range = rangeOf(request, tag, bytes)
  setRange(reply, bytes, range)
  if (range === 'none') return undefined
  const isHead = request.method === 'HEAD'
  const pieces = checkedFiles.stream(
    [file],
    (nameOf) => (isHead ? noPieces() : piecesOf(nameOf(path), range, bytes)),
    signal,
  )
  // With a stream, Fastify keeps the Content-Length set above.
  return await openBody(pieces, download).catch((error) => {
    reply.code(200)
    for (const name of ['Accept-Ranges', 'Content-Length', 'Content-Range']) reply.removeHeader(name)
    throw error
  })
}

/** Errors: `range_not_satisfiable`, always. */
export function refuseRange({ headers }: FastifyRequest, bytes: number): never {
  const range = quoted(headers.range ?? '')
  return fail('range_not_satisfiable', `Range is ${range}; the file has ${bytes} bytes, from 0.`)
}

/** Reads the range of a GET; ignores it if If-Range names other bytes. Source: RFC 9110, 13.1.5. */
function rangeOf({ method, headers }: FastifyRequest, tag: string, bytes: number): ByteRange {
  const ifRange = headers['if-range']
  if (method !== 'GET' || (ifRange !== undefined && ifRange !== `"${tag}"`)) return undefined
  return readByteRange(headers.range, bytes)
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

async function* noPieces(): AsyncGenerator<Uint8Array> {}

async function* piecesOf(
  path: string,
  range: Exclude<ByteRange, 'none'>,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  let [offset, end] = range === undefined ? [0, bytes] : [range.first, range.last + 1]
  const handle = await open(path, 'r')
  try {
    while (offset < end) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - offset))
      const { bytesRead } = await handle.read(piece, 0, piece.length, offset)
      if (bytesRead === 0) return
      offset += bytesRead
      yield piece.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}
