import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** Longest time to start requests before the event loop polls connections again. */
const SLICE_MS = 10
/** Longest time that new connections delay requests. */
const MOST_DELAY_MS = 20

/** Health checks skip the queue. */
const urgent = /^(?:(?!\/v1\/)[^?])*\/(healthz|up|readyz)\/?(\?|$)/

function isUrgent(url = ''): boolean {
  return !url.startsWith('/v1/') && urgent.test(url)
}

interface Slices {
  readonly begin: RequestListener
  /** Call it for each new connection. */
  noteConnection(): void
}

/**
 * Starts requests in order of arrival, for a slice of time in each turn of the event loop, and pauses while connections arrive.
 * node:http starts all requests of a turn but accepts one connection per turn, so a health check could wait for minutes.
 */
export function inSlices(listener: RequestListener): Slices {
  const waiting: (readonly [request: IncomingMessage, response: ServerResponse])[] = []
  let isScheduled = false
  let isAccepting = false
  let until = 0
  let delayedSince = 0

  function runSlice(): void {
    const now = performance.now()
    if (!isAccepting || now - delayedSince > MOST_DELAY_MS) {
      until = now + SLICE_MS
      while (waiting.length > 0 && performance.now() < until) startFirst()
      delayedSince = performance.now()
    }
    isAccepting = false
    isScheduled = waiting.length > 0
    if (isScheduled) setImmediate(runSlice)
  }

  function startFirst(): void {
    const exchange = waiting.shift()
    if (exchange !== undefined && !exchange[0].socket.destroyed) listener(...exchange)
  }

  return {
    noteConnection() {
      isAccepting = true
    },
    begin(request, response) {
      if (isUrgent(request.url)) return listener(request, response)
      if (!isScheduled) {
        isScheduled = true
        delayedSince = performance.now()
        until = delayedSince + SLICE_MS
        setImmediate(runSlice)
      }
      if (!isAccepting && waiting.length === 0 && performance.now() < until) listener(request, response)
      else waiting.push([request, response])
    },
  }
}
