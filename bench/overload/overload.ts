import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { networkSizes, quickTry, writeOracleFiles } from '../support/network.ts'
import { percentile, spreadOf } from '../support/percentiles.ts'
import { program, runToEnd, type Serving, startServing } from '../support/program.ts'
import { report, resultOf } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type FloodGenerator, keepOffLastCore, startFloods } from './flood.ts'
import type { Answers } from './flood-process.ts'
import { floodNames, requestsOf } from './requests.ts'
import { type Overloaded, tableOf } from './table.ts'
import { processesOf, residentMb, stolenMs, watchServer } from './watch.ts'

/** Ten times the requests that a server can answer: what becomes of those that it takes, of the others, and of the server. */

const { values: flags } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    /** The folder of another checkout that is built, to be measured beside this one. */
    base: { type: 'string' },
    only: { type: 'string' },
  },
})
const workload = flags.small ? quickTry : networkSizes.small
const [capacityMs, floodMs] = flags.small ? [2000, 3000] : [6000, 15_000]
const CALLERS = 64
const TIMES = 10
const CONNECTIONS = 1000
const WINDOW_MS = 500
/** As after a flood is as before it when the 99th percentile is within this of it: windows are short. */
const AS_BEFORE = 1.5
const LONGEST_RECOVERY_MS = 30_000
/** Garbage of the last requests is no memory that is kept. */
const QUIET_MS = 5000

const parent = temporaryFolder()
const { folder } = await writeOracleFiles(parent, workload)
const programs = [
  ...(flags.base === undefined ? [] : [{ label: 'base', path: join(flags.base, 'bin/ledgerlake') }]),
  { label: 'head', path: program },
]
/** Flags of the lake and the state of a program. An older one cannot read what a newer one has written. */
const foldersOf = (label: string) => [
  ...['--lake', join(parent, `lake-${label}`), '--state', join(parent, `state-${label}`)],
]
// It also builds the indexes, so the capacity is that of a server that has them.
for (const { label, path } of programs) await runToEnd([path, 'ingest', folder, ...foldersOf(label)])
const floods = startFloods()
const cases: Overloaded[] = []
for (const name of floodNames.filter((name) => flags.only === undefined || name === flags.only))
  for (const { label, path } of programs) {
    const server = await startServing([
      ...[path, 'serve', ...foldersOf(label), '--port', '0'],
      ...['--answer-memory-mb', '0', '--slow-request-ms', '0'],
      ...['--workers', String(Math.max(1, availableParallelism() - 1))],
    ])
    for (const pid of processesOf(server)) keepOffLastCore(pid)
    cases.push({
      name,
      label,
      ...(await overload(server, floods, requestsOf(name, workload, server.address))),
    })
    await server.stop()
    console.log(tableOf(cases.slice(-1)))
  }
floods.stop()

const result = resultOf('overload', [workload], cases)
report(result, tableOf(cases), !flags.small && flags.only === undefined)

async function overload(
  server: Serving,
  { run }: FloodGenerator,
  requests: readonly string[],
): Promise<Omit<Overloaded, 'name' | 'label'>> {
  const closed = { address: server.address, requests, connections: CALLERS }
  await run({ ...closed, ms: capacityMs })
  const normal = await run({ ...closed, ms: capacityMs })
  const alone = await run({ ...closed, connections: 1, ms: capacityMs / 2 })
  if (normal.others > 0) throw new Error(`64 callers got ${normal.others} other answers: ${normal.example}`)
  const capacity = normal.accepted.length / (capacityMs / 1000)
  const processes = processesOf(server)
  const perSecond = TIMES * capacity
  const flood = { ...closed, connections: CONNECTIONS, perSecond }
  // As all other requests, those that are refused are measured once their code is warm.
  await run({ ...flood, ms: capacityMs / 2 })
  await setTimeout(QUIET_MS)
  const beforeMb = residentMb(processes)
  const stopWatching = watchServer(server)
  const stolenBefore = stolenMs()
  const flooded = await run({ ...flood, ms: floodMs })
  const stolenShare = (stolenMs() - stolenBefore) / floodMs
  const seconds = await secondsUntilNormal((ms) => run({ ...closed, ms }), percentile(normal.accepted, 0.99))
  const { healthMaxMs, peakMb } = await stopWatching()
  await setTimeout(QUIET_MS)
  return {
    ...{ capacity, normalRefused: normal.refused.length, offered: perSecond },
    ...{ alone: spreadOf(alone.accepted), normal: spreadOf(normal.accepted) },
    ...{ accepted: spreadOf(flooded.accepted), refused: spreadOf(flooded.refused) },
    acceptedPerSecond: flooded.accepted.length / (floodMs / 1000),
    ...{
      withRetryAfter: flooded.withRetryAfter,
      others: flooded.others,
      unsent: flooded.unsent,
      stolenShare,
    },
    ...{ healthMaxMs, beforeMb, peakMb, afterMb: residentMb(processes), secondsUntilNormal: seconds },
  }
}

async function secondsUntilNormal(run: (ms: number) => Promise<Answers>, p99: number): Promise<number> {
  const begun = performance.now()
  for (;;) {
    const { accepted } = await run(WINDOW_MS)
    const since = performance.now() - begun
    if (percentile(accepted, 0.99) <= AS_BEFORE * p99) return since / 1000
    if (since > LONGEST_RECOVERY_MS) return Number.POSITIVE_INFINITY
  }
}
