import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { unlessGone } from '../../base/unless-gone.ts'

/** How long a whole list may take, and how long its caller may take no byte. */
export interface ExportLimits {
  readonly timeoutMs: number
  readonly stallMs: number
}

/** A response that is taken as a stream. */
export interface Taking {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly signal: AbortSignal
  /** How long its caller may take no byte. */
  readonly stallMs: number
}

/** Ends a generator with a signal, also while nobody reads it: what it reads from would stay open. */
export function endWith(signal: AbortSignal, pieces: AsyncGenerator<unknown, unknown>): void {
  signal.addEventListener('abort', () => void pieces.return(undefined).catch(() => {}), { once: true })
}

/** The pieces as they are taken, until the signal aborts; a caller who takes none for too long is given up. */
export async function* taken(
  first: IteratorResult<Uint8Array>,
  others: AsyncGenerator<Uint8Array>,
  { request, reply: { raw }, signal, stallMs }: Taking,
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
