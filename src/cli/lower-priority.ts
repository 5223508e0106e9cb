import { constants, setPriority } from 'node:os'

/**
 * Lets others go first, such as a server that answers from the same lake. Threads have the priority of the one that begins
 * them, so this comes before the engine is opened.
 */
export function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Some systems refuse it; then all are equal.
  }
}
