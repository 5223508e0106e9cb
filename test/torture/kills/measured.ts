import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../../src/write/sample/random.ts'
import { filesBelow } from '../../support/lakes/leftovers.ts'
import { type CommandScenario, copyFolder, endProcesses, lakeIn } from '../interrupts/scenario.ts'
import { rowsOf, textsOf, visibleSources } from '../interrupts/sources.ts'
import { factsOf, finishCommand, type Moment } from './kill-command.ts'

/** A scenario with its folder as it is before, and its work when nobody kills it. */
export interface Measured {
  readonly scenario: CommandScenario
  readonly before: string
  readonly ms: number
  readonly commits: number
  /** Files of indexes. */
  readonly sorted: number
  readonly rows: number
  readonly texts: string
}

const sourcesIn = async (lake: string) => (existsSync(lake) ? await visibleSources(lake) : [])
export const textsIn = async (lake: string) => textsOf(await sourcesIn(lake)).join()
export const rowsIn = async (lake: string) => rowsOf(await sourcesIn(lake))

/** Prepares a scenario, and finishes its command once. */
export async function measure(scenario: CommandScenario, folder: string): Promise<Measured> {
  const [before, own] = [join(folder, 'before'), join(folder, 'measured')]
  mkdirSync(before, { recursive: true })
  await scenario.prepare(before)
  endProcesses(before)
  copyFolder(before, own)
  const lake = lakeIn(own)
  const { versions } = factsOf(lake)
  const ms = Math.ceil(await finishCommand(scenario, own))
  await scenario.checkEnd(own)
  const measured = {
    ...{ scenario, before, ms, commits: factsOf(lake).versions - versions },
    sorted: filesBelow(join(lake, '_state/index')).length,
    rows: await rowsIn(lake),
    texts: await textsIn(lake),
  }
  rmSync(own, { recursive: true })
  return measured
}

/** Before that a process is still starting. */
const STARTING_MS = 100

/** Some kills fall anywhere; the others wait for a file, so that a commit is hit too. */
export function drawMoment(random: Random, { ms, commits, sorted }: Measured, turn: string): Moment {
  const after = (file: Moment['after'], most: number, longestMs: number): Moment => ({
    ...{ after: file, count: 1 + random.below(Math.max(1, most)), delayMs: random.below(longestMs) },
  })
  if (turn === 'sorting') return after('sorted file', sorted, 100)
  if (turn === 'checkpoint') return random.chance(0.8) ? after('checkpoint', 2, 4) : after('log entry', 3, 20)
  if (turn === 'read' || random.chance(0.4))
    return { after: 'start', count: 0, delayMs: STARTING_MS + random.below(Math.max(1, ms - STARTING_MS)) }
  return random.chance(0.7) ? after('data file', commits, 2) : after('log entry', commits, 100)
}
