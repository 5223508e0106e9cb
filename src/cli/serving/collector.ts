import { setFlagsFromString } from 'node:v8'

/** It is no flag that compiled code depends on, which would be compiled anew then. */
export const flag = '--no-parallel-scavenge'

/**
 * Has V8 collect young objects on the thread that answers: while statements have all cores, it would wait for helpers that do not run.
 * `bin/ledgerlake` asks for more when it starts, which a single executable cannot; other flags do not bear to be changed while V8 runs.
 */
export function collectAlone(): void {
  setFlagsFromString(flag)
}
