import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { standAroundClock } from './clock.ts'
import { standAroundFileSystem } from './file-system.ts'
import { choosePoints } from './points.ts'
import { type Prepared, prepare, runPoint } from './run-point.ts'
import { scenarios } from './scenarios/scenarios.ts'
import { standAroundStatements } from './statements.ts'
import { readTried, type Tried } from './tried.ts'

/**
 * A process that tries points one after the other, and prints a line of JSON for each: of these scenarios, from this seed, until
 * there are so many with those of a file.
 */

/** DuckDB and what is remembered of files grow a little with every point. */
const POINTS_AT_MOST = 1500

async function work(
  folder: string,
  names: string,
  points: number,
  seed: string,
  file: string,
): Promise<void> {
  process.env.LEDGERLAKE_WORKERS = '1'
  rmSync(folder, { recursive: true, force: true })
  const tried = readTried(file)
  const isTried = new Set(tried.map(nameOf))
  standAroundFileSystem()
  standAroundStatements()
  standAroundClock()
  const chosen = scenarios.filter(({ name }) => names.split(',').some((part) => name.includes(part)))
  if (chosen.length === 0)
    throw new Error(`--only is ${names}; use parts of ${scenarios.map(({ name }) => name).join(', ')}`)
  const prepared: Prepared[] = []
  for (const [number, scenario] of chosen.entries()) {
    const own = join(folder, String(number), 'before')
    mkdirSync(own, { recursive: true })
    prepared.push(await prepare(scenario, own))
  }
  const left = choosePoints(prepared, Number.POSITIVE_INFINITY, seed).filter(
    ({ scenario, injection }) => !isTried.has(nameOf({ scenario, ...injection })),
  )
  for (const { scenario, injection } of left.slice(0, Math.min(points - tried.length, POINTS_AT_MOST))) {
    const one = prepared.find(({ scenario: { name } }) => name === scenario) as Prepared
    const outcome: Tried = { scenario, ...injection, ...(await runPoint(one, injection)) }
    process.stdout.write(`${JSON.stringify(outcome)}\n`)
  }
  process.exit(0)
}

function nameOf({ scenario, kind, at }: Pick<Tried, 'scenario' | 'kind' | 'at'>): string {
  return `${scenario} ${kind} ${at}`
}

const [folder = '', names = '', points = '', seed = '', file = ''] = process.argv.slice(2)
work(folder, names, Number(points), seed, file).catch((error) => {
  console.error(error)
  process.exit(1)
})
