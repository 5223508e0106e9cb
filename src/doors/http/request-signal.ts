import { setMaxListeners } from 'node:events'
import type { FastifyReply } from 'fastify'

/** Returns a signal that aborts at the deadline, or when the client disconnects before the response is sent. */
export function signalFor(reply: FastifyReply, timeoutMs: number): AbortSignal {
  const end = new AbortController()
  // Every list of a GraphQL query adds a listener.
  setMaxListeners(0, end.signal)
  const timer = setTimeout(
    () => end.abort(new DOMException('the deadline has passed', 'TimeoutError')),
    timeoutMs,
  )
  onClose(reply, () => {
    clearTimeout(timer)
    if (!reply.raw.writableFinished) end.abort()
  })
  return end.signal
}

/** Calls `end` once the response is sent or the client has disconnected. */
export function onClose({ raw }: FastifyReply, end: () => void): void {
  raw.once('close', end)
}

/** Returns a signal that aborts with the first of the signals, without a limit of listeners. */
export function anySignal(...signals: readonly AbortSignal[]): AbortSignal {
  const either = AbortSignal.any([...signals])
  setMaxListeners(0, either)
  return either
}
