import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { leftoversOf, tablesOf } from '../leftovers.ts'
import { versionOf } from '../read-table.ts'
import { runProgram, startProgram } from '../run-program.ts'

/** A command of the built program that is killed, and what an ingest was doing by what it left. */

/** When to kill: after some time, or so soon after the n-th file of a kind has come to its place. */
export interface Moment {
  readonly after: 'start' | 'data file' | 'log entry' | 'checkpoint' | 'sorted file'
  readonly count: number
  readonly delayMs: number
}

/** What the ingest was doing, found out from the lake alone. */
export const phases = [
  'before the first commit',
  'data files linked, entry not',
  'between commits',
  'writing a checkpoint',
  'after the last commit',
  'sorting for filters',
  'while another ingest went on',
] as const

export type Phase = (typeof phases)[number]

const watched: Readonly<Record<Moment['after'], RegExp | null>> = {
  start: null,
  'data file': /^[a-z]\w+\/(\w+=[^/]+\/)?part-[^/]+\.parquet$/,
  'log entry': /^[a-z]\w+\/_delta_log\/\d{20}\.json$/,
  'sorted file': /^_state\/index\/.*\.blocks$/,
  checkpoint: /^_staging\/[^/]+\/checkpoint\.(json|parquet)$/,
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Paths below a folder that changes meanwhile. */
function pathsBelow(folder: string): readonly string[] {
  const found: string[] = []
  const walk = (below: string) => {
    for (const entry of listed(join(folder, below))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) walk(path)
      else found.push(path)
    }
  }
  walk('')
  return found
}

function listed(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Starts a command on a lake and kills it. Gives whether the kill came before its end, which is good otherwise. */
export async function killCommand(lake: string, args: readonly string[], moment: Moment): Promise<boolean> {
  const pattern = watched[moment.after]
  const count = () => (pattern === null ? 0 : pathsBelow(lake).filter((path) => pattern.test(path)).length)
  const wanted = count() + moment.count
  const { child, finished } = startProgram(args, { cwd: join(lake, '..') })
  while (pattern !== null && child.exitCode === null && count() < wanted) await turn()
  if (moment.delayMs > 0) await pause(moment.delayMs)
  child.kill('SIGKILL')
  const { code, stderr } = await finished
  if (code !== null && code !== 0)
    throw new Error(`${args.join(' ')} ended with ${code} before it was killed: ${stderr}`)
  return code === null
}

/** Runs a command on a lake to its end, which must be good, and gives how long it took in ms. */
export async function finishCommand(lake: string, args: readonly string[]): Promise<number> {
  const began = performance.now()
  const { code, stderr } = await runProgram(args, { cwd: join(lake, '..') })
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return performance.now() - began
}

/** What the killed ingest was doing; `before` is what was left over and how many versions there were. */
export function phaseOf(lake: string, before: LakeFacts, isComplete: boolean): Phase {
  const left = leftoversOf(lake).filter((path) => !before.leftovers.includes(path))
  const runs = listed(join(lake, '_staging')).flatMap((run) => listed(join(lake, '_staging', run.name)))
  const isLinked = left.some((path) => path.endsWith('.parquet') && !path.startsWith('_staging'))
  if (isLinked || runs.some((file) => file.name.endsWith('.tmp'))) return 'data files linked, entry not'
  if (runs.some((file) => /^(checkpoint\.|_last_checkpoint)/.test(file.name))) return 'writing a checkpoint'
  if (isComplete && buildersOf(lake).some((name) => !before.builders.includes(name)))
    return 'sorting for filters'
  if (isComplete) return 'after the last commit'
  return versionsOf(lake) === before.versions ? 'before the first commit' : 'between commits'
}

export interface LakeFacts {
  readonly leftovers: readonly string[]
  /** Folders of those who sort for filters. */
  readonly builders: readonly string[]
  /** Versions of all tables, added up. */
  readonly versions: number
}

export function factsOf(lake: string): LakeFacts {
  return { leftovers: leftoversOf(lake), builders: buildersOf(lake), versions: versionsOf(lake) }
}

function buildersOf(lake: string): readonly string[] {
  return listed(join(lake, '_state/index/building')).map(({ name }) => name)
}

function versionsOf(lake: string): number {
  return tablesOf(lake).reduce((sum, table) => sum + versionOf(lake, table) + 1, 0)
}
