import { cpSync, mkdirSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { dayOfEpoch, epochsOf } from '../../src/write/sample/epochs.ts'
import { writeSampleNetwork } from '../../src/write/sample/write-sample-network.ts'
import { processesOf, residentMb } from '../overload/watch.ts'
import { bytesBelow } from '../peers/bytes.ts'
import { casesOf } from '../peers/cases.ts'
import { checkFacts, generatedFacts, storedFacts } from '../support/facts.ts'
import { startLoad } from '../support/load.ts'
import type { Asked } from '../support/load-process.ts'
import {
  epochsOfWorkload,
  networkSizes,
  quickTry,
  type Workload,
  writeOracleFiles,
} from '../support/network.ts'
import { program, runToEnd, type Serving } from '../support/program.ts'
import { report, resultOf } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { balancerVersion, startBalancer } from './balancer.ts'
import { type EarlierDay, watchCommits } from './commits.ts'
import { comeBack, type Failure, fail } from './failures.ts'
import { answeredBy, buildState, portOf, serve } from './members.ts'
import { answersOf, type Doors, measureHeld, measureRates, type RateCase } from './rates.ts'
import { aboutSteps, figures, type ScalingResult, steps } from './table.ts'

/** One process, two workers, and two servers behind HAProxy: requests a second, what each costs, and what callers see of commits and failures. */

const { values: flags } = parseArgs({
  options: { small: { type: 'boolean', default: false }, size: { type: 'string', default: 'S' } },
})
const size = flags.size
if (size !== 'small' && size !== 'S' && size !== 'M') throw new Error(`--size is ${size}; use small, S or M`)
const workload: Workload = flags.small ? quickTry : networkSizes[size]
const rounds = { rounds: flags.small ? 3 : 9, msPerTurn: flags.small ? 200 : 700, warmUpMs: 500 }
/** Of a core, for each server: two of them, the balancer and the load generator leave the machine some room. */
const PART = 0.25
const heldRounds = { ...rounds, msPerTurn: flags.small ? 400 : 2000 }
const EARLIER_DAYS = flags.small ? 2 : 6
const EARLIER_HOTSPOTS = flags.small ? 500 : 10_000
/** Failures are about who answers, so few different requests are enough. */
const ASKED_IN_FAILURES = 200

const began = performance.now()
const say = (line: string) => console.log(`${((performance.now() - began) / 1000).toFixed(0)} s: ${line}`)
const loads: number[] = []
const noteLoad = () => loads.push(Number((loadavg()[0] ?? 0).toFixed(2)))

const balancer = balancerVersion()
const parent = temporaryFolder()
const lake = join(parent, 'lake')
noteLoad()
const { folder } = await writeOracleFiles(parent, workload)
const { seconds: ingestSeconds, peakMb: ingestPeakMb } = await runToEnd([
  program,
  'ingest',
  folder,
  '--lake',
  lake,
])
const at = await new Lake(lake).latest()
checkFacts(storedFacts(at), generatedFacts(workload))
const shareTables = [iotRewardShares, mobileRewardShares]
const shares = shareTables.reduce((sum, table) => sum + at.table(table).rows, 0)
const shareBytes = shareTables.reduce((sum, { name }) => sum + bytesBelow(join(lake, name)), 0)
say(`the lake is there: ${shares} shares, with the counts and sums of the generator`)

const states = {
  a: join(parent, 'state-a'),
  b: join(parent, 'state-b'),
  workers: join(parent, 'state-workers'),
}
const built = [await buildState(lake, states.a), await buildState(lake, states.b)]
cpSync(states.a, states.workers, { recursive: true })
const copied = await buildState(lake, states.workers)
say('the state folders are built, one of them from a copy')

const a = await serve(lake, states.a)
let b = await serve(lake, states.b)
const workers = await serve(lake, states.workers, { workers: 2 })
const through = await startBalancer(parent, 'through', { a: a.address })
const both = await startBalancer(parent, 'both', { a: a.address, b: b.address })
const doors: Doors = { one: a, workers, through, both }

const load = startLoad()
const cases: RateCase[] = []
const memory = async () => ({
  one: residentMb(processesOf(a)),
  second: residentMb(processesOf(b)),
  workers: residentMb(processesOf(workers)),
  balancer: residentMb([both.pid]),
})
let totalsAsked: readonly Asked[] = []
let answered = { a: 0, b: 0 }
for (const one of casesOf(workload, at)) {
  if (!['T2', 'T3'].includes(one.id) && one.name !== 'random page of all') continue
  noteLoad()
  const asked = await answersOf(doors, one)
  if (one.id === 'T2') totalsAsked = asked
  cases.push(await measureRates(one, asked, doors, b, load, rounds))
  const before = [await answeredBy(a), await answeredBy(b)] as const
  cases.push(await measureHeld(one, [a, b], PART, load, heldRounds))
  answered = { a: (await answeredBy(a)) - before[0], b: (await answeredBy(b)) - before[1] }
  say(`${one.id} ${one.name}: ${asked.length} answers of all doors are equal, and timed`)
}
if (answered.b === 0 || answered.a === 0) throw new Error('one of two servers was never asked')
const memoryMb = await memory()
load.stop()
await workers.stop()

noteLoad()
const [first] = epochsOfWorkload(workload)
if (first === undefined) throw new Error('the network has no day')
const earlier: EarlierDay[] = []
for (let back = 1; back <= EARLIER_DAYS; back += 1) {
  const start = new Date(Number(first.start / 1000n) - back * 86_400_000).toISOString().slice(0, 10)
  const options = { days: 1, hotspots: EARLIER_HOTSPOTS, seed: workload.seed, start }
  const [epoch = first] = epochsOf(options)
  const out = join(parent, `day-${dayOfEpoch(epoch)}`)
  await writeSampleNetwork({ out, ...options })
  earlier.push({ epoch, folder: out })
}
const commits = await watchCommits(lake, earlier, first, [a, b], both)
say(`${commits.walks.length} walks beside ${EARLIER_DAYS} ingests gave what was generated`)

noteLoad()
const asked = await askedNow(a, totalsAsked.slice(0, ASKED_IN_FAILURES))
const failures: Failure[] = []
const returns: ScalingResult['returns'][number][] = []
const port = portOf(b)
const empty = join(parent, 'empty')
mkdirSync(empty)
for (const kind of ['SIGTERM', 'SIGKILL', 'SIGSTOP'] as const) {
  failures.push(await fail(kind, b, 'b', both, asked))
  if (kind === 'SIGSTOP') process.kill(b.pid, 'SIGKILL')
  const startEmpty = () => serve(empty, join(parent, 'state-empty'), { port })
  const { server, seen } = await comeBack(startEmpty, () => serve(lake, states.b, { port }), 'b', both, asked)
  b = server
  returns.push(seen)
  say(`${kind}: ${JSON.stringify(failures.at(-1))}`)
}
noteLoad()
await Promise.all([a.stop(), b.stop(), through.stop(), both.stop()])

const result: ScalingResult = {
  ...resultOf('scaling', [workload], cases),
  ...{ balancer, shares, shareBytes, ingestSeconds, ingestPeakMb, built, copied, memoryMb, answered },
  ...{ commits, failures, returns, loads },
}
report(result, `${steps(result)}\n\n${aboutSteps(result)}\n\n${figures(result)}`, !flags.small)

/** The answers after the commits, by which those of either server are judged. */
async function askedNow({ address }: Serving, before: readonly Asked[]): Promise<readonly Asked[]> {
  const now: Asked[] = []
  for (const { path } of before) {
    const reply = await fetch(address + path)
    now.push({ path, status: 200, body: await reply.text() })
  }
  return now
}
