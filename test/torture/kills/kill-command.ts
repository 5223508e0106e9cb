import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { filesBelow, leftoversOf, tablesOf } from '../../support/lakes/leftovers.ts'
import { type Finished, runProgram } from '../../support/servers/run-program.ts'
import { versionOf } from '../../support/tables/read-table.ts'
import { runUntil } from '../interrupts/run-until.ts'
import { type CommandScenario, isDone } from '../interrupts/scenario.ts'

/** When to kill: some time after the start, or after the n-th new file of a kind has its name. */
export interface Moment {
  readonly after: keyof typeof watched
  readonly count: number
  readonly delayMs: number
}

const watched = {
  start: undefined,
  'data file': /^[a-z]\w+\/(\w+=[^/]+\/)?part-[^/]+\.parquet$/,
  'log entry': /^[a-z]\w+\/_delta_log\/\d{20}\.json$/,
  'sorted file': /^_state\/index\/.*\.blocks$/,
  checkpoint: /^_staging\/[^/]+\/checkpoint\.(json|parquet)$/,
} as const

/** Files of a folder that changes meanwhile: none when a folder goes just now. */
function filesNow(folder: string, pattern: RegExp): number {
  try {
    return filesBelow(folder).filter((path) => pattern.test(path)).length
  } catch {
    return 0
  }
}

/** Starts the command of a scenario and kills it. Gives whether the kill came before its end, which is good otherwise. */
export async function killCommand(scenario: CommandScenario, own: string, moment: Moment): Promise<boolean> {
  const { after, count, delayMs } = moment
  const [pattern, lake] = [watched[after], join(own, 'lake')]
  const wanted = pattern === undefined ? 0 : filesNow(lake, pattern) + count
  const ended = await runUntil(scenario.command(own), { cwd: own }, async (child) => {
    while (pattern && child.exitCode === null && filesNow(lake, pattern) < wanted) await setImmediate()
    await setTimeout(delayMs)
  })
  if (ended.code !== null) expectDone(scenario, ended)
  return ended.code === null
}

/** Runs the command of a scenario to its end, which must be good, and gives how long it took in ms. */
export async function finishCommand(scenario: CommandScenario, own: string): Promise<number> {
  const began = performance.now()
  expectDone(scenario, await runProgram(scenario.command(own), { cwd: own }))
  return performance.now() - began
}

function expectDone(scenario: CommandScenario, ended: Finished): void {
  if (!isDone(scenario, ended)) throw new Error(`${scenario.name} ended with ${ended.code}: ${ended.stderr}`)
}

/** What a killed ingest was doing, by the lake alone. */
export const phases = [
  'before the first commit',
  'data files linked, entry not',
  'between commits',
  'writing a checkpoint',
  'after the last commit',
  'sorting for filters',
  'beside another ingest',
  'while others read',
] as const

export type Phase = (typeof phases)[number]

export interface LakeFacts {
  readonly leftovers: readonly string[]
  /** Folders of processes that sort for filters. */
  readonly builders: readonly string[]
  /** Versions of all tables, added up. */
  readonly versions: number
}

export function factsOf(lake: string): LakeFacts {
  const building = join(lake, '_state/index/building')
  return {
    leftovers: leftoversOf(lake),
    builders: existsSync(building) ? readdirSync(building) : [],
    versions: tablesOf(lake).reduce((sum, table) => sum + versionOf(lake, table) + 1, 0),
  }
}

/** `before` has the facts of the lake before the ingest that was killed. */
export function phaseOf(lake: string, before: LakeFacts, isComplete: boolean): Phase {
  const { leftovers, builders, versions } = factsOf(lake)
  const staged = filesBelow(join(lake, '_staging')).map((path) => path.replace(/^.*\//, ''))
  const isLinked = leftovers.some(
    (path) => path.endsWith('.parquet') && !path.startsWith('_staging') && !before.leftovers.includes(path),
  )
  if (isLinked || staged.some((name) => name.endsWith('.tmp'))) return 'data files linked, entry not'
  if (staged.some((name) => /^(checkpoint\.|_last_checkpoint)/.test(name))) return 'writing a checkpoint'
  if (isComplete && builders.some((name) => !before.builders.includes(name))) return 'sorting for filters'
  if (isComplete) return 'after the last commit'
  return versions === before.versions ? 'before the first commit' : 'between commits'
}
