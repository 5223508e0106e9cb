import { sentenceOf } from '../errors.ts'
import type { Lake } from '../lake/lake.ts'
import type { Derived } from './derived.ts'

/** Builds what the newest snapshot of a lake lacks. Without it answers are only slower, so errors are printed and no more. */
export async function buildMissing(
  derived: readonly Derived[],
  lake: Lake,
  print: (line: string) => void,
): Promise<void> {
  for (const one of derived) {
    try {
      await one.build(await lake.latest(), { onProgress: print })
    } catch (error) {
      print(`ledgerlake: ${one.speedsUp} stay slow: ${sentenceOf(error)}`)
    } finally {
      one.close?.()
    }
  }
}
