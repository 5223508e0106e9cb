import fc from 'fast-check'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { watchAllocations } from './allocations.ts'
import type { Outcome, Target } from './target.ts'

/** Number of cases by validity and by outcome. */
export type Tally = Record<'valid' | 'mutated' | Outcome, number>

/** A run of fast-check; `path` is that of a failure, and repeats one case. */
export interface FuzzRun {
  readonly seed: number
  readonly numRuns: number
  readonly path?: string
}

/** Three times the timeout of a request, for a busy machine. */
const HANGS_MS = 60_000

const number = fc.noShrink(fc.nat())

/** The first number draws a case, and each further one changes it. A failure is shrunk to fewer changes. */
const caseNumbers = fc.tuple(
  number,
  fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant<number[]>([]) },
    { weight: 2, arbitrary: fc.array(number, { minLength: 1, maxLength: 5 }) },
  ),
)

/** Runs cases of a target, of which three of five are valid. Errors: the first fault, with seed, path and case. */
export async function fuzz(target: Target, run: FuzzRun): Promise<Tally> {
  const tally: Tally = { valid: 0, mutated: 0, data: 0, empty: 0, refused: 0, ignored: 0 }
  const allocations = watchAllocations()
  const random = (use: string, of: number) => openRandom(deriveSeed(target.name, use, of))
  const property = fc.asyncProperty(caseNumbers, async ([drawn, changes]) => {
    let value = target.draw(random('draw', drawn))
    for (const change of changes) value = target.mutate(value, random('change', change))
    const isValid = changes.length === 0
    tally[isValid ? 'valid' : 'mutated'] += 1
    try {
      tally[await target.run(value, isValid)] += 1
      allocations.check()
    } catch (error) {
      throw new Error(`${target.name}: ${target.show(value)}`, { cause: error })
    }
  })
  try {
    await fc.assert(property, { ...run, timeout: HANGS_MS })
    return tally
  } finally {
    allocations.close()
  }
}
