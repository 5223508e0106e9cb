import { setImmediate } from 'node:timers/promises'

let last: Promise<unknown> = Promise.resolve()

/** Resolves in a separate turn of the event loop, so that work in pieces does not block others. */
export function separateTurn(): Promise<unknown> {
  last = last.then(() => setImmediate())
  return last
}
