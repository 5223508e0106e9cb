import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { unlessGone } from '../../base/unless-gone.ts'

export interface ExportLimits {
  readonly timeoutMs: number
  /** Longest time without a byte read by the client. */
  readonly stallMs: number
}

/** A response that is streamed to a client. */
export interface Download {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly signal: AbortSignal
  readonly stallMs: number
}

/** Closes a generator when the signal aborts, even if no one reads it: its files would stay open. */
export function closeOnAbort(signal: AbortSignal, pieces: AsyncGenerator<unknown, unknown>): void {
  signal.addEventListener('abort', () => void pieces.return(undefined).catch(() => {}), { once: true })
}

/**
 * Opens pieces as the body of a response; HEAD has none. It awaits the first piece, so that early errors still get an error
 * response.
 */
export async function openBody(pieces: AsyncGenerator<Uint8Array>, download: Download): Promise<Readable> {
  const { request, signal } = download
  closeOnAbort(signal, pieces)
  const first = await unlessGone(pieces.next(), signal)
  if (request.method !== 'HEAD')
    return Readable.from(sendPieces(first, pieces, download), { objectMode: false })
  await pieces.return(undefined)
  return Readable.from([])
}

/** Yields pieces until the signal aborts. Resets the connection of a client that stops reading, and after errors. */
async function* sendPieces(
  first: IteratorResult<Uint8Array>,
  rest: AsyncGenerator<Uint8Array>,
  { request, reply: { raw }, signal, stallMs }: Download,
): AsyncGenerator<Uint8Array> {
  const { socket } = raw
  let isOffered = true
  const timer = setTimeout(() => {
    if (isOffered) socket?.resetAndDestroy()
    else timer.refresh()
  }, stallMs)
  raw.once('close', () => clearTimeout(timer))
  // Other responses have a shorter timeout.
  if (socket instanceof Socket) socket.setTimeout(0)
  try {
    for (let piece = first; piece.done !== true; piece = await unlessGone(rest.next(), signal)) {
      isOffered = true
      timer.refresh()
      yield piece.value
      isOffered = false
    }
    // The last pieces may still be unsent.
    isOffered = true
    timer.refresh()
  } catch (error) {
    if (!raw.destroyed) request.log.error({ err: error, reqId: request.id }, 'an export ended early')
    socket?.resetAndDestroy()
    throw error
  } finally {
    await rest.return(undefined)
  }
}
