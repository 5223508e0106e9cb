import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** How long requests are begun one after the other before the event loop looks at connections again. */
const SLICE_MS = 10
/** How long connections that go on arriving may hold requests up before it is the turn of requests again. */
const MOST_HELD_MS = 20

/** What tells whether the server lives must not wait for what it is busy with. */
const urgent = /^(?:(?!\/v1\/)[^?])*\/(healthz|up|readyz)\/?(\?|$)/

function isUrgent(url = ''): boolean {
  return !url.startsWith('/v1/') && urgent.test(url)
}

interface Slices {
  readonly begin: RequestListener
  /** Has to be told of each new connection. */
  noteConnection(): void
}

/**
 * Begins requests as they come, for a slice of time in each turn of the event loop, in the order of their coming. node:http would
 * begin all that have arrived in one turn, and it accepts one connection a turn: so four hundred callers would keep one waiting for
 * minutes that asks for the health. While connections arrive, none is begun for a moment.
 */
export function inSlices(listener: RequestListener): Slices {
  const waiting: (readonly [request: IncomingMessage, response: ServerResponse])[] = []
  let isScheduled = false
  let isAccepting = false
  let until = 0
  let heldSince = 0

  function nextTurn(): void {
    const now = performance.now()
    if (!isAccepting || now - heldSince > MOST_HELD_MS) {
      until = now + SLICE_MS
      while (waiting.length > 0 && performance.now() < until) beginFirst()
      heldSince = performance.now()
    }
    isAccepting = false
    isScheduled = waiting.length > 0
    if (isScheduled) setImmediate(nextTurn)
  }

  function beginFirst(): void {
    const first = waiting.shift()
    if (first !== undefined && !first[0].socket.destroyed) listener(...first)
  }

  return {
    noteConnection() {
      isAccepting = true
    },
    begin(request, response) {
      if (isUrgent(request.url)) return listener(request, response)
      if (!isScheduled) {
        isScheduled = true
        heldSince = performance.now()
        until = heldSince + SLICE_MS
        setImmediate(nextTurn)
      }
      if (!isAccepting && waiting.length === 0 && performance.now() < until) listener(request, response)
      else waiting.push([request, response])
    },
  }
}
