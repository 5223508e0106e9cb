import type { FastifyReply } from 'fastify'

/** Ends the work when the deadline passes or the caller is gone. A request whose body was read ends before that. */
export function signalOf({ raw }: FastifyReply, timeoutMs: number): AbortSignal {
  const end = new AbortController()
  const timer = setTimeout(
    () => end.abort(new DOMException('the deadline has passed', 'TimeoutError')),
    timeoutMs,
  )
  raw.once('close', () => {
    clearTimeout(timer)
    if (!raw.writableFinished) end.abort()
  })
  return end.signal
}
