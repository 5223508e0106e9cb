import type { FastifyReply } from 'fastify'
import { whenOver } from './when-over.ts'

/** Ends the work when the deadline passes or the caller is gone. A request whose body was read ends before that. */
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
