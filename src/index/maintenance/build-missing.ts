import { sentenceOf } from '../../base/errors.ts'
import type { Lake } from '../../lake/snapshot/lake.ts'
import type { BuildOptions, Derived } from './derived.ts'

export interface MissingOptions extends BuildOptions {
  /** Receives a sentence for each index that cannot be built. */
  readonly onFailure: (sentence: string) => void
}

/** Builds the missing indexes of the newest snapshot, and closes them. Returns whether all were built. */
export async function buildMissing(
  derived: readonly Derived[],
  lake: Lake,
  { onFailure, ...options }: MissingOptions,
): Promise<boolean> {
  let isComplete = true
  for (const index of derived) {
    try {
      await index.build(await lake.latest(), options)
    } catch (error) {
      isComplete = false
      if (!options.signal?.aborted) onFailure(`${index.speedsUp} stay slow: ${sentenceOf(error)}`)
    } finally {
      index.close?.()
    }
  }
  return isComplete
}
