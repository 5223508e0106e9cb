import { setFlagsFromString } from 'node:v8'

/** A flag that does not invalidate V8's cache of compiled code. */
export const flag = '--no-parallel-scavenge'

/**
 * Makes V8 collect young objects on the main thread. If statements use all cores, V8 would wait for helper threads that
 * do not run.
 * `bin/ledgerlake` sets more flags at its start, which a single executable cannot; other flags cannot change while V8
 * runs.
 */
export function collectAlone(): void {
  setFlagsFromString(flag)
}
