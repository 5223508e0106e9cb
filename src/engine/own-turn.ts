import { setImmediate } from 'node:timers/promises'

let last: Promise<unknown> = Promise.resolve()

/** Resolves in a turn of the event loop that nobody else has who asks here, so that much work in pieces lets others in between. */
export function ownTurn(): Promise<unknown> {
  last = last.then(() => setImmediate())
  return last
}
