import { sentenceOf } from '../../base/errors.ts'
import type { Lake } from '../../lake/snapshot/lake.ts'
import type { Derived } from './derived.ts'

/** Builds the missing indexes of the newest snapshot. Prints errors; returns whether there were none. */
export async function buildMissing(
  derived: readonly Derived[],
  lake: Lake,
  print: (line: string) => void,
  signal?: AbortSignal,
): Promise<boolean> {
  let isComplete = true
  for (const index of derived) {
    try {
      await index.build(await lake.latest(), { onProgress: print, signal })
    } catch (error) {
      isComplete = false
      if (!signal?.aborted) print(`ledgerlake: ${index.speedsUp} stay slow: ${sentenceOf(error)}`)
    } finally {
      index.close?.()
    }
  }
  return isComplete
}
