import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { isSliceOver, nextSlice } from '../../../base/slices.ts'
import { type ExportLimits, openBody } from '../../files/download.ts'
import { signalFor } from '../../http/request-signal.ts'
import type { LongText } from '../../reply/representation.ts'

/** Generates a long text as fast as the client reads it, within the limits of exports. */
export async function longBody(
  text: LongText,
  reply: FastifyReply,
  { timeoutMs, stallMs }: ExportLimits,
): Promise<Readable> {
  const { request, raw } = reply
  // Two limits, two signals and the stream add listeners.
  raw.setMaxListeners(20)
  const signal = signalFor(reply, timeoutMs)
  const pieces = bytesOf(request.method === 'HEAD' ? [] : text.pieces(), signal)
  return await openBody(pieces, { request, reply, signal, stallMs })
}

async function* bytesOf(
  pieces: Iterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (const piece of pieces) {
    if (isSliceOver()) await nextSlice(signal)
    yield piece
  }
}
