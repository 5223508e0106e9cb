import { setMaxListeners } from 'node:events'
import type { FastifyReply } from 'fastify'

/** A signal that aborts when the deadline passes or the caller disconnects before the reply is sent. */
export function signalOf(reply: FastifyReply, timeoutMs: number): AbortSignal {
  const end = new AbortController()
  // Every list of a query listens.
  setMaxListeners(0, end.signal)
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

/** Calls `end` once, when the reply was sent or its caller has disconnected. */
export function whenOver({ raw }: FastifyReply, end: () => void): void {
  raw.once('close', end)
}

/** Ends with the first of them; every part of an answer listens. */
export function eitherOf(...signals: readonly AbortSignal[]): AbortSignal {
  const either = AbortSignal.any([...signals])
  setMaxListeners(0, either)
  return either
}
