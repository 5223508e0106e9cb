import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { scenarios } from '../interrupts/scenarios/scenarios.ts'
import { standAroundClock } from './clock.ts'
import { standAroundFileSystem } from './file-system.ts'
import { hasFault, nameOf, orderPoints, readLines, type Tried } from './points.ts'
import { type Prepared, prepare, runPoint } from './run-point.ts'
import type { PointsRequest } from './run-points.ts'
import { standAroundStatements } from './statements.ts'

/** A process that tries points one after the other, and adds a line of JSON for each to the file of the request. */

/** DuckDB and what is remembered of files grow a little with every point. */
const POINTS_AT_MOST = 1500

async function work({
  folder,
  only = [''],
  points,
  seed,
  file,
  endsWithFault,
}: PointsRequest): Promise<void> {
  process.env.LEDGERLAKE_WORKERS = '1'
  const before = readLines<Tried>(file)
  const isTried = new Set(before.map(nameOf))
  standAroundFileSystem()
  standAroundStatements()
  standAroundClock()
  const chosen = scenarios.filter(({ name }) => only.some((part) => name.includes(part)))
  if (chosen.length === 0)
    throw new Error(`--only is ${only}; use parts of ${scenarios.map(({ name }) => name).join(', ')}`)
  const prepared: Prepared[] = []
  for (const [number, scenario] of chosen.entries()) {
    const own = join(folder, 'points', String(number), 'before')
    mkdirSync(own, { recursive: true })
    prepared.push(await prepare(scenario, own))
  }
  const left = orderPoints(prepared, seed).filter((point) => !isTried.has(nameOf(point)))
  const most = Math.min((points ?? left.length + before.length) - before.length, POINTS_AT_MOST)
  for (const [done, { scenario, ...injection }] of left.slice(0, most).entries()) {
    const one = prepared.find(({ scenario: { name } }) => name === scenario) as Prepared
    const tried = await runPoint(one, injection)
    appendFileSync(file, `${JSON.stringify(tried)}\n`)
    const number = before.length + done + 1
    if (number % 500 === 0) console.log(`${number} points`)
    if (!hasFault(tried)) continue
    const { call = 'its end', path = '' } = tried.operation ?? {}
    console.log(`${nameOf(tried)}, ${call} ${path}: ${tried.fault}`)
    if (endsWithFault) break
  }
  process.exit(0)
}

work(JSON.parse(process.argv[2] ?? '')).catch((error) => {
  console.error(error)
  process.exit(1)
})
