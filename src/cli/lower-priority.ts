import { constants, getPriority, setPriority } from 'node:os'

/**
 * Lets others go first, such as a server that answers from the same lake. Threads have the priority of the one that begins
 * them, so this comes before the engine is opened.
 */
export function lowerPriority(): void {
  try {
    const { PRIORITY_BELOW_NORMAL } = constants.priority
    // Larger numbers give way to smaller ones; `nice` may have given this process an even larger one.
    if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)
  } catch {
    // Some systems refuse it; then all are equal.
  }
}
