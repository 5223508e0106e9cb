import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { exportList } from '../../answers/export/export-list.ts'
import { inPieces } from '../../answers/export/in-pieces.ts'
import type { Repository } from '../../answers/repository.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { writeInstant } from '../../base/values/instant.ts'
import type { ExportFormat } from '../../catalog/export-formats.ts'
import { exportColumns } from '../../catalog/records/flat-columns.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { CheckedQuery } from '../contract/query-schema.ts'
import { type ExportLimits, openBody } from '../files/download.ts'
import { refuseRange } from '../files/file-body.ts'
import type { MadeFile, MadeFiles } from '../files/made-files.ts'
import { acceptsGzip } from '../reply/accept.ts'
import { isPinned } from '../reply/cache-control.ts'
import { evaluateConditions } from '../reply/entity-tag.ts'
import { jsonBody, type Representation } from '../reply/representation.ts'

/** Larger files are streamed while they are made, unless the client requests a range or HEAD. */
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
  /** Strong ETag of the file, unless it is empty. */
  readonly tag: string
  /** Sends a representation with the common headers. */
  readonly give: (representation: Representation) => Promise<void>
  readonly signal: AbortSignal
}

/** The parts of the server that exports need. */
export interface FileContext {
  readonly repository: Repository
  /** Undefined if exports are not kept on disk. */
  readonly made?: MadeFiles | undefined
  readonly exports: Pick<ExportLimits, 'stallMs'>
}

/**
 * Sends an export. A file of a pinned snapshot is made first, so it has a length and ranges; others and very long ones are streamed.
 * An error after the first byte resets the connection, so that a client never takes a part for the whole.
 */
export async function sendFile(
  { repository, made, exports: { stallMs } }: FileContext,
  file: FileRequest,
  { request, reply, tag, give, signal }: Sending,
): Promise<void> {
  const { resource, query, at, format } = file
  const { filters, columns = exportColumns(resource), integersAsText, locale } = query
  const list = { resource, filters, columns, format, options: { integersAsText, locale } }
  const open = (within: AbortSignal) => exportList(repository, list, at, within)
  const download = { request, reply, signal, stallMs }
  const giveBody = async (rows: number, body: Readable) => {
    reply.headers({
      'Ledgerlake-Rows': String(rows),
      'Content-Disposition': `attachment; filename="${fileName(resource, query)}"`,
    })
    await give({ type: format.type, body, ...(rows === 0 && { isEmpty: true as const }) })
  }
  /** Sends a kept file, or a response without body in its place. Returns false if the file was gone. */
  const giveFile = async (file: MadeFile, { body: bodyOf }: MadeFiles): Promise<boolean> => {
    // Conditions come before ranges. Source: RFC 9110, 13.2.2.
    const isNotModified = evaluateConditions(request, tag) !== undefined
    const body = isNotModified ? undefined : await bodyOf(file, tag, download)
    if (body === 'gone') return false
    if (isNotModified) await give(jsonBody(null))
    else if (body === undefined) refuseRange(request, file.bytes)
    else await giveBody(file.rows, body)
    return true
  }

  const files = isPinned(query.asOf) && hasLength(request) ? made : undefined
  const madeFile = await files?.find(tag, signal)
  if (files !== undefined && madeFile !== undefined && (await giveFile(madeFile, files))) return
  const opened = await unlessGone(open(signal), signal)
  if (files !== undefined && opened.rows > 0 && (isPart(request) || opened.rows <= MOST_ROWS_MADE_FIRST)) {
    const newFile = await files.findOrMake(tag, signal, open)
    if (newFile !== undefined && (await giveFile(newFile, files))) return
  }
  await giveBody(opened.rows, await openBody(inPieces(opened.bytes()), download))
}

/** Returns true for a range or HEAD. */
const isPart = ({ method, headers }: FastifyRequest) => method === 'HEAD' || headers.range !== undefined

/** Returns true if the response can have a Content-Length. A compressed file has another one, and no ranges. */
const hasLength = ({ headers }: FastifyRequest) => headers.range !== undefined || !acceptsGzip(headers)

/** Sets Content-Location to the same file of the pinned snapshot; also for a 304. */
export function setPinnedLocation(
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
  // Accept may have chosen the format.
  if (format !== undefined) parameters.set('format', format.name)
  reply.header('Content-Location', `${basePath}${path}?${parameters}`)
}

/** Builds a name such as `iot_reward_shares_2025-02-01_2025-02-28.csv` from table, range and steps of a series. */
export function fileName(
  { name, filters: declared = {}, columns }: Resource,
  { filters, days, series, format }: CheckedQuery,
): string {
  const dates = ['from', 'to'].map((bound) => {
    const value = filters[bound]
    if (typeof value !== 'bigint') return undefined
    const isSeconds = columns[declared[bound]?.column ?? '']?.kind === 'seconds'
    return writeInstant(isSeconds ? value * 1_000_000n : value).slice(0, 10)
  })
  const named = days === undefined ? dates : [days.first, days.last]
  const steps = series && [series.interval === 'all' ? [] : series.interval, series.groupBy ?? []].flat()
  const divided = steps === undefined ? [] : steps.length === 0 ? ['summed'] : [`by_${steps.join('_and_')}`]
  return [name, ...named.filter((day) => day !== undefined), ...divided].join('_') + (format?.extension ?? '')
}
