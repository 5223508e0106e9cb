import { setFlagsFromString } from 'node:v8'

/** It is no flag that compiled code depends on, which would be compiled anew then. */
export const flag = '--no-parallel-scavenge'

/** Has V8 collect young objects on the thread that answers: while statements have all cores, it would wait for helpers that do not run. */
export function collectAlone(): void {
  setFlagsFromString(flag)
}
