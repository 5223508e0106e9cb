import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { isSliceOver, nextSlice } from '../../base/slices.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { type ExportLimits, endWith, taken } from '../files/taken.ts'
import { signalFor } from '../http/request-signal.ts'
import type { LongText } from '../reply/representation.ts'

/** The bytes of a long text, made as fast as they are taken, within the limits of whole lists. */
export async function longBody(
  text: LongText,
  reply: FastifyReply,
  { timeoutMs, stallMs }: ExportLimits,
): Promise<Readable> {
  const { request, raw } = reply
  // Both limits, both signals and the stream listen.
  raw.setMaxListeners(20)
  const signal = signalFor(reply, timeoutMs)
  const pieces = bytesOf(request.method === 'HEAD' ? [] : text.pieces(), signal)
  endWith(signal, pieces)
  const first = await unlessGone(pieces.next(), signal)
  return Readable.from(taken(first, pieces, { request, reply, signal, stallMs }), { objectMode: false })
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
