import { constants, getPriority, setPriority } from 'node:os'

/**
 * Lowers the priority of this process, so that a server on the same machine goes first. New threads inherit the
 * priority, so call this before the engine is opened.
 */
export function lowerPriority(): void {
  try {
    const { PRIORITY_BELOW_NORMAL } = constants.priority
    // Larger numbers are lower priorities; `nice` may have set a larger one.
    if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)
  } catch {
    // Some systems refuse it; then all processes have the same priority.
  }
}
