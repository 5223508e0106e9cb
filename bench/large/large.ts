import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { bytesBelow, bytesOfShares } from '../peers/bytes.ts'
import { casesOf } from '../peers/cases.ts'
import { openChecker } from '../peers/check.ts'
import { measureStarts } from '../peers/scenarios.ts'
import { startLoad } from '../support/load.ts'
import type { Asked } from '../support/load-process.ts'
import { networkSizes, type Workload } from '../support/network.ts'
import { bareServer, patient, program, runToEnd, serveLake, startServing } from '../support/program.ts'
import { report, resultOf } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { measureCases } from './measure.ts'
import { buildDerived, makeParts, withoutDerived } from './parts.ts'
import { type LargeResult, largeTables } from './table.ts'

/** A year of a large network, made in parts: what it takes to make it, to hold it and to ask it. */

const { values: flags } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    parent: { type: 'string' },
    days: { type: 'string' },
    'part-days': { type: 'string' },
    derive: { type: 'string', default: 'end' },
  },
})
const { derive } = flags
if (derive !== 'each' && derive !== 'end') throw new Error(`--derive is ${derive}; use each or end`)
const whole = flags.small ? { ...networkSizes.L, days: 4, hotspots: 10_000 } : networkSizes.L
const days = Number(flags.days ?? whole.days)
const network: Workload = {
  ...whole,
  days,
  name: `${days} days x ${whole.hotspots.toLocaleString('en-US')} hotspots`,
}
const rounds = flags.small
  ? { rounds: 2, msPerTurn: 100, warmUpMs: 50 }
  : { rounds: 5, msPerTurn: 500, warmUpMs: 400 }
const began = performance.now()
const say = (line: string) => console.log(`${((performance.now() - began) / 1000).toFixed(0)} s: ${line}`)

const temporary = temporaryFolder()
if (flags.parent === undefined && !flags.small) throw new Error('--parent names a folder that stays')
const parent = flags.parent ?? temporary
mkdirSync(parent, { recursive: true })
const lake = join(parent, 'lake')
const partDays = Number(flags['part-days'] ?? (flags.small ? 2 : 15))
const parts = await makeParts({ parent, network, partDays, derive, say })

const compacted = await runToEnd([program, 'compact', '--lake', lake, ...withoutDerived(parent)])
await runToEnd([program, 'vacuum', '--lake', lake, '--keep-hours', '0'])
const derived = await buildDerived(lake)
say(`compacted in ${compacted.seconds.toFixed(0)} s, derived in ${derived.seconds.toFixed(0)} s`)

const at = await new Lake(lake).latest()
const instance = await DuckDBInstance.create(join(temporary, 'checks.duckdb'), { memory_limit: '8GB' })
const duckdb = await instance.connect()
await duckdb.run("SET TimeZone = 'UTC'")
const checker = openChecker(duckdb, at.table(iotRewardShares).files, temporary)
const all = casesOf(network, at).map((one) => ({
  ...one,
  questions: one.questions.slice(0, flags.small ? 100 : Number.POSITIVE_INFINITY),
}))
const starts = await measureStarts(lake, await firstOf('T1'), await firstOf('T3'))
say('starts are timed')
const served = await serveLake(lake, '--answer-memory-mb', '0', ...patient)
const bare = await startServing([bareServer])
const load = startLoad()
const cases = await measureCases(all, { served, bare, load, checker, rounds, say })
load.stop()
await Promise.all([served.stop(), bare.stop()])
const bytes = await bytesOfShares({ lake, at, duckdb })
duckdb.closeSync()
instance.closeSync()

const result: LargeResult = {
  ...resultOf('large', [network], cases),
  ...{ parts, starts, bytes, compactSeconds: compacted.seconds, isPinned: load.isPinned },
  ...{ deriveSeconds: derived.seconds, derivePeakMb: derived.peakMb },
  stateBytes: bytesBelow(join(lake, '_state')),
}
report(result, largeTables(result), !flags.small)

async function firstOf(id: string): Promise<Asked> {
  const questions = all.find((one) => one.id === id)?.questions.slice(0, 1) ?? []
  const [body = ''] = await checker.totals(questions)
  return { path: questions[0]?.address ?? '', status: 200, body }
}
