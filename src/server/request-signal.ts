import type { FastifyReply } from 'fastify'

/** Ends the work when the deadline passes or the caller is gone. A request whose body was read ends before that. */
export function signalOf({ raw }: FastifyReply, timeoutMs: number): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return AbortSignal.any([AbortSignal.timeout(timeoutMs), gone.signal])
}
