import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { resourceNamed } from '../../catalog/resources.ts'
import { exportFormats } from '../../derive/export-formats.ts'
import { fail, ServiceError } from '../../errors.ts'
import { namedFactsIn } from '../../lake/file-tags.ts'
import { factsPath, isDataFilePath, isFactsPath, tableFolder } from '../../lake/layout.ts'
import type { TableSnapshot } from '../../lake/snapshot.ts'
import { unlessGone } from '../../unless-gone.ts'
import { heldUnlessExcluded } from '../reply/entity-tag.ts'
import { signalOf } from '../request-signal.ts'
import { endWith, taken } from '../rest/send-file.ts'
import { type ByteRange, byteRangeOf } from './byte-range.ts'
import { requireStill } from './recipient.ts'
import type { SharingContext } from './sharing-options.ts'
import { readSignedAddress, type SharedFile } from './signed-address.ts'

const PARQUET = exportFormats.find(({ name }) => name === 'parquet')?.type ?? ''
const PIECE_BYTES = 65_536

/** GET and HEAD of data files and files of facts by their signed addresses, whole or a range of bytes. Each is checked as for any other answer. */
export function addFileRoute(server: FastifyInstance, context: SharingContext): void {
  const { gate, secret, lake, snapshots, checkedFiles, exports } = context

  server.get('/files/:table/*', gate.route([], { isFree: () => true }), async (request, reply) => {
    const { table = '', '*': path = '' } = request.params as Readonly<Record<string, string>>
    const query = request.query as Readonly<Record<string, unknown>>
    const file = readSignedAddress({ table, path }, query, secret, Date.now())
    requireStill(file.recipient, context)
    const resource = resourceNamed(file.table)
    // Signed by this server, so a log named it; nothing else is ever opened all the same.
    if (resource === undefined || !(isDataFilePath(file.path) || isFactsPath(file.path)))
      fail('not_found', 'There is no such file.')
    const held = heldUnlessExcluded(request, file.sha256)
    if (held !== undefined) return reply.code(304).header('etag', held).send()
    gate.enter(reply)
    const signal = signalOf(reply, exports.timeoutMs)
    const place = join(tableFolder(lake, resource), file.path)
    const range = rangeOf(request, file)
    tell(reply, file, range)
    if (range === 'none') return reply.code(416).send()
    const isHead = request.method === 'HEAD'
    const type = isFactsPath(file.path) ? 'application/gzip' : PARQUET
    const pieces = checkedFiles.stream(
      [{ ...file, path: place }],
      (nameOf) => (isHead ? nothing() : piecesOf(nameOf(place), range, file)),
      signal,
    )
    endWith(signal, pieces)
    const first = await unlessGone(pieces.next(), signal).catch((error) => {
      clear(reply)
      const mayBeMissing = !isLive(snapshots.current()?.table(resource), file)
      const isDamage = error instanceof ServiceError && error.code === 'lake_damaged'
      if (isDamage && mayBeMissing && /it is missing/.test(error.message)) refuseVacuumed(file)
      throw error
    })
    // A stream, even an empty one, leaves the length alone that was told.
    if (isHead) return reply.type(type).send(Readable.from([]))
    const body = taken(first, pieces, { request, reply, signal }, exports.stallMs)
    return reply.type(type).send(Readable.from(body, { objectMode: false }))
  })
}

/** Whether the newest version of a table needs a file. */
function isLive(table: TableSnapshot | undefined, { path }: SharedFile): boolean {
  const live = table?.logged?.live
  if (live === undefined || !isFactsPath(path)) return live?.has(path) === true
  return [...live.values()].some(({ tags }) => factsPath('', namedFactsIn(tags)?.digest ?? '') === path)
}

function refuseVacuumed({ path, table }: SharedFile): never {
  return fail('gone', `${path} of ${table} was vacuumed. Query the table again.`)
}

/** A range is of GET alone, and of the bytes that the caller knows. */
function rangeOf({ method, headers }: FastifyRequest, { bytes, sha256 }: SharedFile): ByteRange {
  const known = headers['if-range']
  if (method !== 'GET' || (known !== undefined && known !== `"${sha256}"`)) return undefined
  return byteRangeOf(headers.range, bytes)
}

function tell(reply: FastifyReply, { bytes, sha256, expires }: SharedFile, range: ByteRange): void {
  const seconds = Math.max(0, Math.floor((expires - Date.now()) / 1000))
  reply.headers({
    'Accept-Ranges': 'bytes',
    'Cache-Control': range === 'none' ? 'no-store' : `private, max-age=${seconds}`,
    ETag: `"${sha256}"`,
  })
  if (range === 'none') reply.header('Content-Range', `bytes */${bytes}`)
  else if (range === undefined) reply.header('Content-Length', bytes)
  else {
    const { first, last } = range
    reply.code(206).headers({
      'Content-Length': last - first + 1,
      'Content-Range': `bytes ${first}-${last}/${bytes}`,
    })
  }
}

/** What was told of a file that cannot be sent. */
function clear(reply: FastifyReply): void {
  for (const name of ['Accept-Ranges', 'Cache-Control', 'ETag', 'Content-Length', 'Content-Range'])
    reply.removeHeader(name)
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function* piecesOf(
  path: string,
  range: Exclude<ByteRange, 'none'>,
  { bytes }: SharedFile,
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
