import { join } from 'node:path'
import type { Rounds, TimedCase } from '../peers/measure.ts'
import { openClient } from '../support/client.ts'
import { startLoad } from '../support/load.ts'
import { makeLake } from '../support/make-lake.ts'
import type { BenchOptions } from '../support/options.ts'
import { program, runToEnd, startServing } from '../support/program.ts'
import { headOf, resultOf } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { buildBase, commitOf } from './build-base.ts'
import { measureIngests, measureStarts } from './processes.ts'
import { type Build, ratioTable } from './ratios.ts'
import { requestsOf } from './requests.ts'
import { type Answered, compareAnswers, measureRequests, measureUnchanged, type Servers } from './turns.ts'

/**
 * Compares the program of another commit with that of the working tree over one lake, which the other commit made. Both have to
 * answer alike, byte for byte, before they take turns. Errors: `rev` is no commit, or an answer differs.
 */
export async function benchBase(
  rev: string,
  { workload, isSmall, wanted, say }: BenchOptions,
): Promise<void> {
  const rounds: Rounds = isSmall
    ? { rounds: 3, msPerTurn: 100, warmUpMs: 50 }
    : { rounds: 9, msPerTurn: 300, warmUpMs: 400 }
  const commit = commitOf(rev)
  const parent = temporaryFolder()
  const base = buildBase(commit, parent)
  say(`${commit.slice(0, 7)} is built`)
  const { lake, at, archive } = await makeLake(parent, workload, say, base)
  const state = join(parent, 'state')
  // Nothing is new to the working tree, but it derives its own structures, in a folder of its own.
  await runToEnd([program, 'ingest', archive, '--lake', lake, '--state', state])
  const one = await oneProcess(base)
  const ofBase = [base, 'serve', '--lake', lake, '--port', '0', ...one]
  const serve = {
    base: ofBase,
    again: ofBase,
    head: [program, 'serve', '--lake', lake, '--port', '0', '--workers', '1', '--state', state],
  }

  async function serving<T>(flags: readonly string[], use: (servers: Servers) => Promise<T>): Promise<T> {
    const start = (build: Build) => startServing([...serve[build], ...flags])
    const servers = { base: await start('base'), again: await start('again'), head: await start('head') }
    const result = await use(servers)
    for (const server of Object.values(servers)) await server.stop()
    return result
  }

  const load = startLoad()
  const timed: TimedCase<Build>[] = []
  const answered = await serving(['--answer-memory-mb', '0'], async (servers) => {
    const client = openClient(servers.base.address)
    const requests = await requestsOf(workload, at, client)
    client.close()
    const all: Answered[] = []
    for (const one of requests.filter(({ id }) => wanted(id))) all.push(await compareAnswers(one, servers))
    say(`${all.reduce((sum, { asked }) => sum + asked.length, 0)} answers are equal, byte for byte`)
    for (const one of all) timed.push(...(await measureRequests(one, load, servers, rounds)))
    say('requests are timed')
    return all
  })
  await serving([], async (servers) => {
    for (const one of answered) {
      const cached = { ...one, name: `${one.name}, cached` }
      timed.push(...(await measureRequests(cached, load, servers, rounds)))
    }
    const page = answered.find(({ id }) => id === 'P1')
    if (page !== undefined && wanted('H1')) timed.push(await measureUnchanged(page, load, servers, rounds))
    say('requests to servers that remember answers are timed')
  })
  load.stop()
  const first = answered[0]?.asked[0]
  if (first !== undefined && wanted('C1')) timed.push(await measureStarts(serve, first, rounds.rounds))
  const programs = { base, again: base, head: program }
  if (wanted('I2')) timed.push(await measureIngests(programs, workload, parent, rounds.rounds))
  say('everything is timed')
  console.log(`\n${headOf(resultOf('base', [workload], timed))}\nBase: ${rev}, commit ${commit.slice(0, 7)}.`)
  console.log(`\n${ratioTable(timed)}`)
}

/** Builds that know no workers are one process. */
async function oneProcess(build: string): Promise<readonly string[]> {
  const { stdout } = await runToEnd([build, 'serve', '--help'])
  return stdout.includes('--workers') ? ['--workers', '1'] : []
}
