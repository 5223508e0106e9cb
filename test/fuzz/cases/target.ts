import type { Random } from '../../../src/write/sample/random.ts'
import { pick } from '../../support/network/draw.ts'

/** What became of a case: answered with data, with none, refused as it should be, or ignored with the same answer. */
export type Outcome = 'data' | 'empty' | 'refused' | 'ignored'

/** Something that reads what others wrote. A case is plain: so it can be drawn again, changed and shown. */
export interface Target<Case = unknown> {
  readonly name: string
  /** A case that has to be taken. */
  draw(random: Random): Case
  /** The same with something changed; it may still be one that has to be taken. */
  mutate(value: Case, random: Random): Case
  /** Errors: any of it is a fault of the program. `isValid`: nothing was changed. */
  run(value: Case, isValid: boolean): Promise<Outcome>
  /** A line for people. */
  show(value: Case): string
}

/** Errors: Error with the sentence, which says what the program did wrong. */
export function must(holds: boolean, sentence: () => string): asserts holds {
  if (!holds) throw new Error(sentence())
}

/** Some of a list, in its order; at least one. */
export function some<T>(list: readonly T[], random: Random, share = 0.4): readonly T[] {
  const kept = list.filter(() => random.chance(share))
  return kept.length > 0 ? kept : [pick(list, random)]
}
