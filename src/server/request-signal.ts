import type { FastifyReply } from 'fastify'
import { whenOver } from './when-over.ts'

/** A signal that aborts when the deadline passes or the caller disconnects before the reply is sent. */
export function signalOf(reply: FastifyReply, timeoutMs: number): AbortSignal {
  const end = new AbortController()
  const timer = setTimeout(
    () => end.abort(new DOMException('the deadline has passed', 'TimeoutError')),
    timeoutMs,
  )
  whenOver(reply, () => {
    clearTimeout(timer)
    if (!reply.raw.writableFinished) end.abort()
  })
  return end.signal
}
