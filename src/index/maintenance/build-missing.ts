import { sentenceOf } from '../../base/errors.ts'
import type { Lake } from '../../lake/snapshot/lake.ts'
import type { Derived } from './derived.ts'

/**
 * Builds what the newest snapshot of a lake lacks, and returns whether all of it was built. Without it answers are only slower, so errors
 * are printed and no more; once the signal is aborted nothing is.
 */
export async function buildMissing(
  derived: readonly Derived[],
  lake: Lake,
  print: (line: string) => void,
  signal?: AbortSignal,
): Promise<boolean> {
  let isWhole = true
  for (const one of derived) {
    try {
      await one.build(await lake.latest(), { onProgress: print, signal })
    } catch (error) {
      isWhole = false
      if (!signal?.aborted) print(`ledgerlake: ${one.speedsUp} stay slow: ${sentenceOf(error)}`)
    } finally {
      one.close?.()
    }
  }
  return isWhole
}
