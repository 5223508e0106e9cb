import type { FastifyRequest } from 'fastify'

/** Ends the work when the deadline passes or the caller is gone. */
export function signalOf(request: FastifyRequest, timeoutMs: number): AbortSignal {
  const gone = new AbortController()
  request.raw.once('close', () => {
    if (request.raw.destroyed && !request.raw.readableEnded) gone.abort()
  })
  return AbortSignal.any([AbortSignal.timeout(timeoutMs), gone.signal])
}
