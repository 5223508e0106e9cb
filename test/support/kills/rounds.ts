import assert from 'node:assert/strict'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { deriveSeed, openRandom, type Random } from '../../../src/write/sample/random.ts'
import { filesBelow } from '../leftovers.ts'
import { checkVisible, killAndCheck, mend, type Round } from './checks.ts'
import { makeManyCommits, makeSteps, type Step } from './inputs.ts'
import { makeLedgerSteps, makeSortedInputs } from './ledger-inputs.ts'
import { factsOf, finishIngest, killIngest, type Moment } from './run.ts'
import { checkFilters, sortedTables } from './sorted.ts'
import { rowsOf, textsOf } from './sources.ts'
import { visibleSources } from './visible.ts'

/** Ingests killed at random moments, and what has to hold after each of them. */

export interface KillOptions {
  readonly folder: string
  readonly runs: number
  readonly seed: number
  /** Hotspots of the network that is taken in; they decide how long an ingest takes. */
  readonly hotspots: number
  /** Transactions of the ledger that is taken in. */
  readonly transactions: number
  /** Only rounds that ingest a ledger or sort it, or only the others. */
  readonly only?: keyof typeof schedules
  readonly onRound?: (round: Round) => void
}

/** How an ingest is called that commits every few hundred rows, and one that commits every file. */
const commitRows = {
  few: ['--ingest-commit-rows', '250'],
  one: ['--ingest-commit-rows', '1'],
  some: ['--ingest-commit-rows', '1500'],
}

/** Rounds take turns. */
const schedules = {
  oracles: [
    'chain',
    'chain',
    'chain',
    'checkpoint',
    'chain',
    'chain',
    'concurrent',
    'chain',
    'chain',
    'chain',
  ],
  ledger: ['ledger', 'ledger', 'sorting', 'ledger', 'sorting'],
  all: [
    'chain',
    'ledger',
    'chain',
    'checkpoint',
    'sorting',
    'chain',
    'concurrent',
    'ledger',
    'chain',
    'ledger',
  ],
} as const

/** Which rounds there are to choose from. */
export const turns = Object.keys(schedules) as readonly (keyof typeof schedules)[]

type Turn = (typeof schedules)[keyof typeof schedules][number]

/** Kills `runs` ingests, as the seed says. Throws at the first lake that is not as it has to be. */
export async function killIngests(options: KillOptions): Promise<readonly Round[]> {
  const { folder, runs, seed } = options
  const random = openRandom(deriveSeed('kills', seed))
  const schedule: readonly Turn[] = schedules[options.only ?? 'all']
  const openers: Readonly<Record<Turn, () => Promise<PlayRound>>> = {
    chain: openOracleChain,
    ledger: openLedgerChain,
    sorting: openSorting,
    concurrent: openConcurrent,
    checkpoint: openCheckpoint,
  }
  const opened = new Map<Turn, PlayRound>()
  const rounds: Round[] = []
  for (let number = 1, kills = 0; kills < runs; number += 1) {
    const turn = schedule[number % schedule.length] as Turn
    const play = opened.get(turn) ?? (await openers[turn]())
    opened.set(turn, play)
    const round = await play(number)
    rounds.push(round)
    if (round.phase !== undefined) kills += 1
    options.onRound?.(round)
  }
  return rounds

  async function openOracleChain(): Promise<PlayRound> {
    const steps = await makeSteps(join(folder, 'oracles'), options.hotspots)
    return await openChain('oracles', steps, commitRows.few)
  }

  async function openLedgerChain(): Promise<PlayRound> {
    const steps = await makeLedgerSteps(join(folder, 'ledger'), options.transactions)
    return await openChain('ledger', steps, commitRows.some, 'of the ledger')
  }

  /** One ingest after the other into one lake; some go on with what a kill left, others with what was mended. */
  async function openChain(
    name: string,
    steps: readonly Step[],
    commits: readonly string[],
    kindOfAll?: Round['kind'],
  ): Promise<PlayRound> {
    const measured = await measure(join(folder, `${name}-measured`), steps, commits)
    let lake = join(folder, `${name}-lake-0`)
    let next = 0
    return async (number) => {
      const [step, held] = [steps[next] as Step, steps[next - 1]?.sources ?? []]
      const kind = kindOfAll ?? (existsSync(lake) ? 'on a lake left behind' : 'on a fresh lake')
      const moment = drawMoment(random, measured[next] as Measured)
      const args = [...step.args, ...commits]
      const round = await killAndCheck({ number, kind, step, held, lake, moment, args })
      if (random.chance(0.3) && existsSync(lake)) {
        const copy = join(folder, `copy-${number}`)
        cpSync(lake, copy, { recursive: true })
        await mend(copy, args, step)
        rmSync(copy, { recursive: true })
        return round
      }
      await mend(lake, args, step)
      next = (next + 1) % steps.length
      if (next === 0) {
        rmSync(lake, { recursive: true })
        lake = join(folder, `${name}-lake-${number}`)
      }
      return round
    }
  }

  async function openConcurrent(): Promise<PlayRound> {
    const [step] = await makeSteps(join(folder, 'beside'), options.hotspots)
    const [measured] = await measure(join(folder, 'beside-measured'), [step], commitRows.few)
    return async (number) => {
      const own = join(folder, `beside-${number}`)
      const args = [...step.args, ...commitRows.few]
      const survivor = finishIngest(own, args)
      const moment = drawMoment(random, measured as Measured)
      const kill = killIngest(own, args, moment)
      const [isKilled] = await Promise.all([kill, survivor])
      const visible = await checkVisible(own, step, step.sources)
      await mend(own, args, step)
      rmSync(own, { recursive: true })
      const rows = rowsOf(visible)
      const phase = isKilled ? 'while another ingest went on' : undefined
      return { number, kind: 'beside another ingest', step: step.name, moment, phase, rows, rowsAtEnd: rows }
    }
  }

  async function openCheckpoint(): Promise<PlayRound> {
    const many = await makeManyCommits(join(folder, 'many'))
    const summedUp = join(folder, 'before-checkpoint')
    await finishIngest(summedUp, [...many.before.args, ...commitRows.one])
    return async (number) => {
      const own = join(folder, `checkpoint-${number}`)
      cpSync(summedUp, own, { recursive: true })
      const args = [...many.step.args, ...commitRows.one]
      const moment: Moment = random.chance(0.8)
        ? { after: 'checkpoint', count: 1 + random.below(2), delayMs: random.below(4) }
        : { after: 'log entry', count: 1 + random.below(3), delayMs: random.below(20) }
      const held = many.before.sources
      const kind = 'around a checkpoint'
      const round = await killAndCheck({ number, kind, step: many.step, held, lake: own, moment, args })
      await mend(own, args, many.step)
      rmSync(own, { recursive: true })
      return round
    }
  }

  /** Everything is in and nothing is sorted: an ingest of the same files has only that to do. */
  async function openSorting(): Promise<PlayRound> {
    const { step, rewards } = await makeSortedInputs(join(folder, 'to-sort'))
    const whole = join(folder, 'unsorted')
    await finishIngest(whole, step.args)
    const sorted = sortedTables(whole)
    assert.deepEqual(sorted, ['l1_rewards', 'l1_transaction_actors'])
    const files = filesBelow(join(whole, '_state/index')).length
    rmSync(join(whole, '_state'), { recursive: true })
    return async (number) => {
      const own = join(folder, `sorting-${number}`)
      cpSync(whole, own, { recursive: true })
      const [kind, held, { args }] = ['while sorting for filters', step.sources, step] as const
      const moment = {
        after: 'sorted file',
        count: 1 + random.below(files),
        delayMs: random.below(100),
      } as const
      const round = await killAndCheck({ number, kind, step, held, lake: own, moment, args })
      await checkFilters(own, rewards, random)
      await mend(own, args, step)
      assert.deepEqual(sortedTables(own), sorted, `${own} is not sorted`)
      await checkFilters(own, rewards, random)
      rmSync(own, { recursive: true })
      return round
    }
  }
}

type PlayRound = (number: number) => Promise<Round>

/** What an ingest does when nobody kills it. */
interface Measured {
  readonly ms: number
  readonly commits: number
}

async function measure(
  lake: string,
  steps: readonly Step[],
  commits: readonly string[],
): Promise<readonly Measured[]> {
  const measured: Measured[] = []
  for (const step of steps) {
    const before = factsOf(lake).versions
    const ms = await finishIngest(lake, [...step.args, ...commits])
    assert.deepEqual(textsOf(await visibleSources(lake)), textsOf(step.sources))
    measured.push({ ms: Math.ceil(ms), commits: factsOf(lake).versions - before })
  }
  rmSync(lake, { recursive: true })
  return measured
}

/** Before that a process is still starting. */
const STARTING_MS = 100

/** Some kills fall anywhere; the others wait for a file, so that a commit is hit too. */
function drawMoment(random: Random, { ms, commits }: Measured): Moment {
  if (random.chance(0.4)) {
    return { after: 'start', count: 0, delayMs: STARTING_MS + random.below(ms - STARTING_MS) }
  }
  const count = 1 + random.below(commits)
  return random.chance(0.7)
    ? { after: 'data file', count, delayMs: random.below(2) }
    : { after: 'log entry', count, delayMs: random.below(100) }
}
