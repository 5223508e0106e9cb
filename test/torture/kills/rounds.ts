import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { deriveSeed, openRandom, type Random } from '../../../src/write/sample/random.ts'
import { words } from '../../support/words.ts'
import { makeLedgerSteps } from '../interrupts/ledger-steps.ts'
import { makeManyCommits, makeSampleSteps } from '../interrupts/oracle-steps.ts'
import { type CommandScenario, copyFolder, lakeIn } from '../interrupts/scenario.ts'
import { every, type Ingest, ingestScenario } from '../interrupts/scenarios/ingests.ts'
import { killedWhileRead } from '../interrupts/scenarios/scenarios.ts'
import { sorting } from '../interrupts/scenarios/sorting.ts'
import { factsOf, finishCommand, killCommand, type Moment, type Phase, phaseOf } from './kill-command.ts'
import { drawMoment, type Measured, measure, rowsIn, textsIn } from './measured.ts'
import { openReaders } from './readers.ts'

/** Commands of the built program killed at random moments, and what has to hold after each of them. */

export interface KillOptions {
  readonly folder: string
  readonly runs: number
  readonly seed: number | string
  /** Hotspots and transactions of the networks that are ingested; they decide how long an ingest takes. */
  readonly hotspots?: number
  readonly transactions?: number
  readonly only?: keyof typeof schedules
  readonly onRound?: (round: Round) => void
}

/** Rounds take turns. */
const schedules = {
  oracles: 'chain chain chain checkpoint chain chain concurrent chain chain chain',
  ledger: 'ledger ledger sorting ledger sorting',
  all: 'chain ledger chain checkpoint sorting chain concurrent ledger chain ledger',
  read: 'read',
}

/** Which rounds there are to choose from. */
export const turns = Object.keys(schedules) as readonly (keyof typeof schedules)[]

function ingestsOf(names: string, rows: number, make: Ingest['make']): readonly CommandScenario[] {
  return names.split(', ').map((name, step) => ingestScenario({ name, make, step, flags: every(rows) }))
}

/** Ingests larger than those that faults are put into, so that they take a while and commit often. */
function scenariosOf({ hotspots = 600, transactions = 3000 }: KillOptions, random: Random) {
  const oracles = (folder: string) => makeSampleSteps(folder, hotspots)
  const ledger = (folder: string) => makeLedgerSteps(folder, transactions)
  const chain = ingestsOf('first days, more days, other bytes', 250, oracles)
  return {
    chain,
    concurrent: chain.slice(0, 1),
    ledger: ingestsOf('archive, newer states, another part', 1500, ledger),
    checkpoint: ingestsOf('99 commits, the hundredth commit', 1, makeManyCommits).slice(1),
    sorting: [sorting(random)],
    read: killedWhileRead,
  }
}

type Turn = keyof ReturnType<typeof scenariosOf>

const kinds: Readonly<Partial<Record<Turn, string>>> = {
  ...{ concurrent: 'beside another ingest', checkpoint: 'around a checkpoint', ledger: 'of the ledger' },
  ...{ sorting: 'while sorting for filters', read: 'while others read' },
}

export interface Round {
  readonly number: number
  readonly kind: string
  /** The name of its scenario. */
  readonly step: string
  readonly command: string
  readonly moment: Moment
  /** Undefined when the command was over before its kill. */
  readonly phase: Phase | undefined
  /** Rows that were visible after the kill, and that are to be. */
  readonly rows: number
  readonly rowsAtEnd: number
  /** Replies that others read meanwhile. */
  readonly answered: number
  readonly seconds: number
}

/** Kills `runs` commands, as the seed says. Throws at the first lake that is not as it has to be. */
export async function killCommands(options: KillOptions): Promise<readonly Round[]> {
  const { folder, runs, seed, only = 'all', onRound } = options
  const random = openRandom(deriveSeed('kills', seed))
  const scenarios: Readonly<Record<Turn, readonly CommandScenario[]>> = scenariosOf(options, random)
  const schedule = words(schedules[only]) as readonly Turn[]
  const measured = new Map<CommandScenario, Measured>()
  const taken = new Map<Turn, number>()
  const rounds: Round[] = []
  for (let number = 1, kills = 0; kills < runs; number += 1) {
    const turn = schedule[number % schedule.length] as Turn
    const place = taken.get(turn) ?? 0
    taken.set(turn, place + 1)
    const scenario = scenarios[turn][place % scenarios[turn].length] as CommandScenario
    const one = measured.get(scenario) ?? (await measure(scenario, join(folder, `scenario-${measured.size}`)))
    measured.set(scenario, one)
    const round = await play(one, turn, join(folder, `round-${number}`), number, random)
    rounds.push(round)
    if (round.phase !== undefined) kills += 1
    onRound?.(round)
  }
  return rounds
}

/** One kill or, now and then, another one of what it left; then the same command once more, to its end. */
async function play(one: Measured, turn: Turn, own: string, number: number, random: Random): Promise<Round> {
  const began = performance.now()
  const { scenario, before, rows: rowsAtEnd } = one
  const lake = lakeIn(own)
  copyFolder(before, own)
  const kind = kinds[turn] ?? (existsSync(lake) ? 'on a lake left behind' : 'on a fresh lake')
  const moment = drawMoment(random, one, turn)
  const earlier = factsOf(lake)
  const held = turn === 'read' ? scenario.held?.() : undefined
  const readers = held && (await openReaders(lake, held))
  const survivor = turn === 'concurrent' ? finishCommand(scenario, own) : undefined
  const [isKilled] = await Promise.all([killCommand(scenario, own, moment), survivor])
  await scenario.check(own, survivor && { code: 0, stdout: '', stderr: '' }, 'crash')
  readers?.killWorker(random)
  const isComplete = (await textsIn(lake)) === one.texts
  const phase = turn === 'read' || survivor ? (kinds[turn] as Phase) : phaseOf(lake, earlier, isComplete)
  const rows = await rowsIn(lake)
  if (random.chance(0.3)) {
    await killCommand(scenario, own, drawMoment(random, one, turn))
    await scenario.check(own, undefined, 'crash')
  }
  await finishCommand(scenario, own)
  const answered = (await readers?.stop()) ?? 0
  await scenario.checkEnd(own)
  rmSync(own, { recursive: true })
  const seconds = Math.round(performance.now() - began) / 1000
  const [command = ''] = scenario.command(own)
  return {
    ...{ number, kind, step: scenario.name, command, moment, rows, rowsAtEnd, answered, seconds },
    phase: isKilled ? phase : undefined,
  }
}
