import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { deriveSeed, openRandom, type Random } from '../../../src/write/sample/random.ts'
import { filesBelow } from '../leftovers.ts'
import { lakeIn } from '../torture/lake-checks.ts'
import { copyFolder, endProcesses } from '../torture/scenario.ts'
import { words } from '../words.ts'
import { factsOf, finishCommand, killCommand, type Moment, type Phase, phaseOf } from './run.ts'
import { type KilledScenario, killScenarios, type Sizes } from './scenarios.ts'
import { rowsOf, textsOf } from './sources.ts'
import { visibleSources } from './visible.ts'

/** Ingests killed at random moments, and what has to hold after each of them. */

type Turn = keyof ReturnType<typeof killScenarios>

export interface KillOptions extends Sizes {
  readonly folder: string
  readonly runs: number
  readonly seed: number
  /** Only rounds that ingest a ledger or sort it, or only the others. */
  readonly only?: keyof typeof schedules
  readonly onRound?: (round: Round) => void
}

/** Rounds take turns. */
const schedules = {
  oracles: 'chain chain chain checkpoint chain chain concurrent chain chain chain',
  ledger: 'ledger ledger sorting ledger sorting',
  all: 'chain ledger chain checkpoint sorting chain concurrent ledger chain ledger',
}

/** Which rounds there are to choose from. */
export const turns = Object.keys(schedules) as readonly (keyof typeof schedules)[]

const kinds: Readonly<Partial<Record<Turn, string>>> = {
  ...{ concurrent: 'beside another ingest', checkpoint: 'around a checkpoint', ledger: 'of the ledger' },
  sorting: 'while sorting for filters',
}

export interface Round {
  readonly number: number
  readonly kind: string
  readonly step: string
  readonly moment: Moment
  /** Undefined when the ingest was over before its kill. */
  readonly phase: Phase | undefined
  /** Rows that were visible after the kill, and that are to be. */
  readonly rows: number
  readonly rowsAtEnd: number
}

/** A scenario with its folder as it is before, and what it does when nobody kills it. */
interface Measured {
  readonly scenario: KilledScenario
  readonly before: string
  readonly ms: number
  readonly commits: number
  /** Files of indexes. */
  readonly sorted: number
  readonly rows: number
  readonly texts: string
}

/** Kills `runs` ingests, as the seed says. Throws at the first lake that is not as it has to be. */
export async function killIngests(options: KillOptions): Promise<readonly Round[]> {
  const { folder, runs, seed, only = 'all', onRound } = options
  const random = openRandom(deriveSeed('kills', seed))
  const scenarios: Readonly<Record<Turn, readonly KilledScenario[]>> = killScenarios(options, random)
  const schedule = words(schedules[only]) as readonly Turn[]
  const measured = new Map<KilledScenario, Measured>()
  const taken = new Map<Turn, number>()
  const rounds: Round[] = []
  for (let number = 1, kills = 0; kills < runs; number += 1) {
    const turn = schedule[number % schedule.length] as Turn
    const place = taken.get(turn) ?? 0
    taken.set(turn, place + 1)
    const scenario = scenarios[turn][place % scenarios[turn].length] as KilledScenario
    const known =
      measured.get(scenario) ?? (await measure(scenario, join(folder, `scenario-${measured.size}`)))
    measured.set(scenario, known)
    const round = await play(known, turn, join(folder, `round-${number}`), number, random)
    rounds.push(round)
    if (round.phase !== undefined) kills += 1
    onRound?.(round)
  }
  return rounds
}

/** One kill or, now and then, another one of what it left; then the same ingest once more, to its end. */
async function play(one: Measured, turn: Turn, own: string, number: number, random: Random): Promise<Round> {
  const { scenario, before, rows: rowsAtEnd } = one
  const lake = lakeIn(own)
  copyFolder(before, own)
  const kind = kinds[turn] ?? (existsSync(lake) ? 'on a lake left behind' : 'on a fresh lake')
  const moment = drawMoment(random, one, turn)
  const args = scenario.command(own)
  const earlier = factsOf(lake)
  let phase: Phase | undefined
  if (turn === 'concurrent') {
    const survivor = finishCommand(lake, args)
    const [isKilled] = await Promise.all([killCommand(lake, args, moment), survivor])
    await scenario.check(own, { code: 0, stdout: '', stderr: '' }, 'crash')
    phase = isKilled ? 'while another ingest went on' : undefined
  } else {
    const isKilled = await killCommand(lake, args, moment)
    await scenario.check(own, undefined, 'crash')
    const isComplete = (await textsIn(lake)) === one.texts
    phase = isKilled ? phaseOf(lake, earlier, isComplete) : undefined
  }
  const rows = existsSync(lake) ? rowsOf(await visibleSources(lake)) : 0
  if (random.chance(0.3)) {
    await killCommand(lake, args, drawMoment(random, one, turn))
    await scenario.check(own, undefined, 'crash')
  }
  await finishCommand(lake, args)
  await scenario.checkEnd(own)
  rmSync(own, { recursive: true })
  return { number, kind, step: scenario.name, moment, phase, rows, rowsAtEnd }
}

async function textsIn(lake: string): Promise<string> {
  return existsSync(lake) ? textsOf(await visibleSources(lake)).join() : ''
}

async function measure(scenario: KilledScenario, folder: string): Promise<Measured> {
  const [before, own] = [join(folder, 'before'), join(folder, 'measured')]
  mkdirSync(before, { recursive: true })
  await scenario.prepare(before)
  endProcesses(before)
  copyFolder(before, own)
  const lake = lakeIn(own)
  const { versions } = factsOf(lake)
  const ms = Math.ceil(await finishCommand(lake, scenario.command(own)))
  await scenario.checkEnd(own)
  const measured = {
    ...{ scenario, before, ms, commits: factsOf(lake).versions - versions },
    sorted: filesBelow(join(lake, '_state/index')).length,
    rows: rowsOf(await visibleSources(lake)),
    texts: await textsIn(lake),
  }
  rmSync(own, { recursive: true })
  return measured
}

/** Before that a process is still starting. */
const STARTING_MS = 100

/** Some kills fall anywhere; the others wait for a file, so that a commit is hit too. */
function drawMoment(random: Random, { ms, commits, sorted }: Measured, turn: Turn): Moment {
  const after = (file: Moment['after'], most: number, longestMs: number): Moment => ({
    ...{ after: file, count: 1 + random.below(Math.max(1, most)), delayMs: random.below(longestMs) },
  })
  if (turn === 'sorting') return after('sorted file', sorted, 100)
  if (turn === 'checkpoint') return random.chance(0.8) ? after('checkpoint', 2, 4) : after('log entry', 3, 20)
  if (random.chance(0.4))
    return { after: 'start', count: 0, delayMs: STARTING_MS + random.below(Math.max(1, ms - STARTING_MS)) }
  return random.chance(0.7) ? after('data file', commits, 2) : after('log entry', commits, 100)
}
