import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Resource } from '../../catalog/resource.ts'
import type { ExportFormat } from '../../derive/export-formats.ts'
import { exportColumns } from '../../derive/flat-columns.ts'
import { writeInstant } from '../../derive/instant.ts'
import type { CheckedQuery } from '../../derive/query-schema.ts'
import { exportList } from '../../export/export-list.ts'
import { inPieces } from '../../export/in-pieces.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import type { Repository } from '../../repository/repository.ts'
import { unlessGone } from '../../unless-gone.ts'
import type { Representation } from '../reply/representation.ts'

/** How long a whole list may take, and how long its caller may take no byte. */
export interface ExportLimits {
  readonly timeoutMs: number
  readonly stallMs: number
}

interface FileRequest {
  readonly resource: Resource
  readonly query: CheckedQuery
  readonly at: Snapshot
  readonly format: ExportFormat
}

interface Sending {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Sends it with the headers that every reply to the request has. */
  readonly give: (representation: Representation) => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Sends a whole list as a file, made as fast as it is taken. Headers tell its rows before the first byte. What ends it early
 * resets the connection, so that a part is never taken for the whole, whatever the format and the version of HTTP.
 */
export async function sendFile(
  repository: Repository,
  { resource, query, at, format }: FileRequest,
  { request, reply, give, signal }: Sending,
  { stallMs }: ExportLimits,
): Promise<void> {
  const { filters, columns = exportColumns(resource), integersAsText } = query
  const asked = { resource, filters, columns, format, options: { integersAsText } }
  const { rows, bytes } = await unlessGone(exportList(repository, asked, at, signal), signal)
  const isHead = request.method === 'HEAD'
  const pieces = inPieces(isHead ? [] : bytes())
  endWith(signal, pieces)
  // With the first piece at hand, what goes wrong at the beginning can still be told as an error.
  const first = await unlessGone(pieces.next(), signal)
  reply.headers({
    'Ledgerlake-Rows': String(rows),
    'Content-Disposition': `attachment; filename="${fileName(resource, query)}${format.extension}"`,
  })
  const body = Readable.from(taken(first, pieces, { request, reply, signal }, stallMs), { objectMode: false })
  await give({ type: format.type, body, ...(rows === 0 && { isEmpty: true as const }) })
}

/** Ends a generator with a signal, also while nobody reads it: what it reads from would stay open. */
export function endWith(signal: AbortSignal, pieces: AsyncGenerator<unknown, unknown>): void {
  signal.addEventListener('abort', () => void pieces.return(undefined).catch(() => {}), { once: true })
}

/** The pieces as they are taken, until the signal aborts; a caller who takes none for too long is given up. */
export async function* taken(
  first: IteratorResult<Uint8Array>,
  others: AsyncGenerator<Uint8Array>,
  { request, reply: { raw }, signal }: Pick<Sending, 'request' | 'reply' | 'signal'>,
  stallMs: number,
): AsyncGenerator<Uint8Array> {
  const { socket } = raw
  let isOffered = true
  const timer = setTimeout(() => {
    if (isOffered) socket?.resetAndDestroy()
    else timer.refresh()
  }, stallMs)
  raw.once('close', () => clearTimeout(timer))
  // The limit of other replies may be shorter.
  if (socket instanceof Socket) socket.setTimeout(0)
  try {
    for (let piece = first; piece.done !== true; piece = await unlessGone(others.next(), signal)) {
      isOffered = true
      timer.refresh()
      yield piece.value
      isOffered = false
    }
    // The last pieces may not have been sent yet.
    isOffered = true
    timer.refresh()
  } catch (error) {
    if (!raw.destroyed) request.log.error({ err: error, reqId: request.id }, 'an export ended early')
    socket?.resetAndDestroy()
    throw error
  } finally {
    await others.return(undefined)
  }
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
