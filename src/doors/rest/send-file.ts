import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Export, exportList } from '../../answers/export/export-list.ts'
import { inPieces } from '../../answers/export/in-pieces.ts'
import type { Repository } from '../../answers/repository.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { writeInstant } from '../../base/values/instant.ts'
import type { ExportFormat } from '../../catalog/export-formats.ts'
import { exportColumns } from '../../catalog/records/flat-columns.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { CheckedQuery } from '../contract/query-schema.ts'
import type { MadeFile, MadeFiles } from '../files/made-files.ts'
import { refuseRange } from '../files/parts-of-file.ts'
import { type ExportLimits, endWith, type Taking, taken } from '../files/taken.ts'
import { isPinned } from '../reply/cache-control.ts'
import { heldUnlessExcluded } from '../reply/entity-tag.ts'
import { json, type Representation } from '../reply/representation.ts'

/** Larger files are sent while they are made, unless only a part or the length is asked for. */
const MOST_ROWS_MADE_FIRST = 1_000_000

export interface FileRequest {
  readonly resource: Resource
  readonly query: CheckedQuery
  readonly at: Snapshot
  readonly format: ExportFormat
}

interface Sending {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The strong tag of the file, unless it is empty. */
  readonly tag: string
  /** Sends it with the headers that every reply to the request has. */
  readonly give: (representation: Representation) => Promise<void>
  readonly signal: AbortSignal
}

/** The parts of the server that files need. */
export interface FileContext {
  readonly repository: Repository
  /** Missing where files cannot be kept. */
  readonly made?: MadeFiles | undefined
  readonly exports: Pick<ExportLimits, 'stallMs'>
}

/**
 * Sends a whole list as a file. That of a snapshot named by its id is made first, so it has a length and ranges. Any other, and a very long
 * one, is made as fast as it is taken. Headers tell its rows before the first byte. What ends it early resets the connection, so that a part
 * is never taken for the whole, whatever the format and the version of HTTP.
 */
export async function sendFile(
  { repository, made, exports: { stallMs } }: FileContext,
  file: FileRequest,
  { request, reply, tag, give, signal }: Sending,
): Promise<void> {
  const { resource, query, at, format } = file
  const { filters, columns = exportColumns(resource), integersAsText } = query
  const asked = { resource, filters, columns, format, options: { integersAsText } }
  const open = (within: AbortSignal) => exportList(repository, asked, at, within)
  const taking = { request, reply, signal, stallMs }
  const giveBody = async (rows: number, body: Readable) => {
    reply.headers({
      'Ledgerlake-Rows': String(rows),
      'Content-Disposition': `attachment; filename="${fileName(resource, query)}${format.extension}"`,
    })
    await give({ type: format.type, body, ...(rows === 0 && { isEmpty: true as const }) })
  }
  /** Returns whether a kept file was sent, or a response without a body in its place; false if it was gone before its first byte. */
  const giveFile = async (whole: MadeFile, { body: bodyOf }: MadeFiles): Promise<boolean> => {
    // Conditions are judged before a range. Source: RFC 9110, 13.2.2.
    const isHeld = heldUnlessExcluded(request, tag) !== undefined
    const body = isHeld ? undefined : await bodyOf(whole, tag, taking)
    if (body === 'gone') return false
    if (isHeld) await give(json(null))
    else if (body === undefined) refuseRange(request, whole.bytes)
    else await giveBody(whole.rows, body)
    return true
  }

  const files = isPinned(query.asOf) && takesLength(request) ? made : undefined
  const kept = await files?.find(tag, signal)
  if (files !== undefined && kept !== undefined && (await giveFile(kept, files))) return
  const list = await unlessGone(open(signal), signal)
  if (files !== undefined && list.rows > 0 && (isPart(request) || list.rows <= MOST_ROWS_MADE_FIRST)) {
    const whole = await files.of(tag, signal, open)
    if (whole !== undefined && (await giveFile(whole, files))) return
  }
  await giveBody(list.rows, await bodyOfList(list, taking))
}

/** Whether a client asks for a part of a file, or for its length alone. */
const isPart = ({ method, headers }: FastifyRequest) => method === 'HEAD' || headers.range !== undefined

/** Whether a response may have a length. A file in gzip has another one, and no ranges. */
const takesLength = ({ headers }: FastifyRequest) =>
  headers.range !== undefined || !/\bgzip\b/.test(headers['accept-encoding'] ?? '')

/** The bytes of a list as they are made. With the first piece at hand, what goes wrong at the beginning can still be told as an error. */
async function bodyOfList(list: Export, taking: Taking): Promise<Readable> {
  const { request, signal } = taking
  const pieces = inPieces(list.bytes())
  endWith(signal, pieces)
  const first = await unlessGone(pieces.next(), signal)
  if (request.method !== 'HEAD') return Readable.from(taken(first, pieces, taking), { objectMode: false })
  await pieces.return(undefined)
  return Readable.from([])
}

/** Sets the address of the same file that never changes, where that is another one; a 304 has it too. */
export function setPinnedAddress(
  reply: FastifyReply,
  { asOf, format }: CheckedQuery,
  basePath: string,
  { id }: Snapshot,
): void {
  if (isPinned(asOf)) return
  const { url, query } = reply.request
  const [path = ''] = url.split('?')
  const parameters = new URLSearchParams(Object.entries(query as Readonly<Record<string, string>>))
  parameters.set('as_of', id)
  // Accept may have chosen it.
  if (format !== undefined) parameters.set('format', format.name)
  reply.header('Content-Location', `${basePath}${path}?${parameters}`)
}

/** `iot_reward_shares_2025-02-01_2025-02-28`: the table, and the days or the range where they are given. */
function fileName(
  { name, filters: declared = {}, columns }: Resource,
  { filters, days }: CheckedQuery,
): string {
  const dates = ['from', 'to'].map((bound) => {
    const value = filters[bound]
    if (typeof value !== 'bigint') return undefined
    const isSeconds = columns[declared[bound]?.column ?? '']?.kind === 'seconds'
    return writeInstant(isSeconds ? value * 1_000_000n : value).slice(0, 10)
  })
  const named = days === undefined ? dates : [days.first, days.last]
  return [name, ...named.filter((day) => day !== undefined)].join('_')
}
