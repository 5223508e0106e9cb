import { deriveSeed, openRandom, type Random } from '../../../src/write/sample/random.ts'
import { pick } from '../network/draw.ts'
import { watchAllocations } from './allocations.ts'
import { countBranches } from './reached-branches.ts'
import { Found, type Outcome, type Target } from './target.ts'

/** Counts of one target; they add up over parts of a run. */
export type Tally = Record<'valid' | 'mutated' | Outcome | 'branches', number>

/** How far a part of a run has come: enough to go on with it. */
export interface Progress {
  readonly seed: string
  /** This part draws every `of`th case, from `part` on. */
  readonly part: number
  readonly of: number
  done: number
  readonly tallies: Record<string, Tally>
  /** Cases that reached new branches, by target: the numbers that lead to them. */
  readonly corpus: Record<string, string[]>
  readonly faults: string[]
}

export const newProgress = (seed: string, part = 0, of = 1): Progress => ({
  ...{ seed, part, of, done: 0, tallies: {}, corpus: {}, faults: [] },
})

/** Cases of one target in a row, after which branches are looked at. */
const BATCH = 20
/** So many of them are left as they were drawn, of each five. */
const VALID = 3
const MOST_CORPUS = 500
const MOST_CHANGES = 5
const MOST_FAULTS = 100
/** Three times the timeout of a request, for a machine that is busy otherwise. */
const HANGS_MS = 60_000

/**
 * Runs cases until `cases` are done in all, and notes each fault with the case that shows it. A case is a path of numbers: the first
 * draws it, each further one changes it; so it can be drawn again whatever came before. `onBatch` may stop the run by false.
 */
export async function fuzz(
  targets: readonly Target[],
  progress: Progress,
  cases: number,
  onBatch: () => boolean = () => true,
): Promise<void> {
  const branches = countBranches()
  const largest = watchAllocations()
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  try {
    while (progress.done < cases) {
      const target = targets[Math.floor(progress.done / BATCH) % targets.length] as Target
      progress.tallies[target.name] ??= emptyTally()
      progress.corpus[target.name] ??= []
      const tally = progress.tallies[target.name] as Tally
      const corpus = progress.corpus[target.name] as string[]
      const batch: string[] = []
      for (let index = 0; index < BATCH && progress.done < cases; index += 1) {
        const number = progress.part + progress.of * progress.done
        const isValid = index % 5 < VALID
        const path = isValid ? `${number}` : parentOf(progress.seed, number, corpus)
        batch.push(path)
        tally[isValid ? 'valid' : 'mutated'] += 1
        const fault = await runCase(target, progress.seed, path).then(
          (outcome) => {
            tally[outcome] += 1
            return undefined
          },
          (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
        )
        const more = unhandled.splice(0).map((reason) => `not handled: ${String(reason)}`)
        for (const sentence of [...(fault === undefined ? [] : [fault]), ...more, ...largest.takeFault()])
          if (progress.faults.length < MOST_FAULTS)
            progress.faults.push(`--seed ${progress.seed} --case ${target.name}:${path}\n  ${sentence}`)
        progress.done += 1
      }
      const reached = branches.takeNew()
      tally.branches += reached
      if (reached > 0) corpus.push(...batch)
      corpus.splice(0, corpus.length - MOST_CORPUS)
      if (!onBatch()) return
    }
  } finally {
    process.off('unhandledRejection', note)
    largest.close()
    branches.close()
  }
}

const emptyTally = (): Tally => ({
  ...{ valid: 0, mutated: 0, data: 0, empty: 0, refused: 0, ignored: 0, branches: 0 },
})

/** A case that reached new branches changed once more, or a new one changed. */
function parentOf(seed: string, number: number, corpus: readonly string[]): string {
  const random = openRandom(deriveSeed(seed, 'parent', number))
  const isKept = corpus.length > 0 && random.chance(0.5)
  const parent = isKept ? pick(corpus, random) : `${number}`
  return `${parent.split('.').slice(0, MOST_CHANGES).join('.')}.${number}`
}

/** Draws the case of a path of numbers and runs it. Errors: Found, and whatever the program threw. */
export async function runCase(target: Target, seed: string, path: string): Promise<Outcome> {
  const { value, isValid } = drawCase(target, seed, path)
  let timer: NodeJS.Timeout | undefined
  const hangs = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Found(`no end within ${HANGS_MS} ms`)), HANGS_MS)
  })
  try {
    return await Promise.race([target.run(value, isValid), hangs])
  } catch (error) {
    throw new Found(
      `${error instanceof Found ? error.message : String((error as Error).stack)}\n  ${target.show(value)}`,
    )
  } finally {
    clearTimeout(timer)
  }
}

function drawCase(target: Target, seed: string, path: string): { value: unknown; isValid: boolean } {
  const [first = '', ...changes] = path.split('.')
  const random = (use: string, number: string): Random =>
    openRandom(deriveSeed(seed, target.name, use, number))
  let value = target.draw(random('draw', first))
  for (const number of changes) value = target.mutate(value, random('change', number))
  return { value, isValid: changes.length === 0 }
}
