import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** How long requests are begun one after the other before the event loop looks at connections again. */
const SLICE_MS = 10
/** Turns that connections which go on arriving may hold requests up: as many as wait to be accepted at most. */
const MOST_HELD_TURNS = 512

/** What tells whether the server lives must not wait for what it is busy with. */
const urgent = /^[^?]*\/(healthz|up|readyz)\/?(\?|$)/

interface Slices {
  readonly begin: RequestListener
  /** Has to be told of each new connection. */
  noteConnection(): void
}

/**
 * Begins requests as they come, for a slice of time; then one for each turn of the event loop, in the order of their coming.
 * node:http would begin all that have arrived in one turn, and it accepts one connection a turn: so four hundred callers would
 * keep one waiting for minutes that asks for the health. While connections arrive, none is begun.
 */
export function inSlices(listener: RequestListener): Slices {
  const waiting: (readonly [request: IncomingMessage, response: ServerResponse])[] = []
  let isScheduled = false
  let began = 0
  let isAccepting = false
  let held = 0

  function nextTurn(): void {
    held = isAccepting && held < MOST_HELD_TURNS ? held + 1 : 0
    isAccepting = false
    if (held === 0) {
      const first = waiting.shift()
      if (first !== undefined && !first[0].socket.destroyed) listener(...first)
    }
    isScheduled = waiting.length > 0
    if (isScheduled) setImmediate(nextTurn)
  }

  return {
    noteConnection() {
      isAccepting = true
    },
    begin(request, response) {
      if (urgent.test(request.url ?? '')) return listener(request, response)
      if (!isScheduled) {
        isScheduled = true
        began = performance.now()
        setImmediate(nextTurn)
      }
      if (!isAccepting && waiting.length === 0 && performance.now() - began < SLICE_MS)
        listener(request, response)
      else waiting.push([request, response])
    },
  }
}
