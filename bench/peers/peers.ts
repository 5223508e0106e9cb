import { loadavg } from 'node:os'
import type { Asked } from '../support/load-process.ts'
import type { BenchOptions } from '../support/options.ts'
import { report, resultOf } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { bytesOfShares } from './bytes.ts'
import { type Case, casesOf } from './cases.ts'
import { openChecker } from './check.ts'
import { openImplementations } from './implementations.ts'
import { measure, type PeerCase } from './measure.ts'
import { measureLookups, measureUnchanged } from './measure-lookups.ts'
import { measureColdHotspots, measureStarts, measureWhileIngesting } from './scenarios.ts'
import { openSetup } from './setup.ts'
import { type PeersResult, peersTables } from './table.ts'

/** Different keys of each kind of lookup. */
const KEYS_ASKED = 5000

/** Requests over HTTP beside raw DuckDB, PostgreSQL and a bare server. */
export async function benchPeers({
  size,
  workload,
  isSmall,
  isWhole,
  wanted,
  made,
  say,
}: BenchOptions): Promise<void> {
  const rounds = isSmall
    ? { rounds: 2, msPerTurn: 150, warmUpMs: 50 }
    : { rounds: 5, msPerTurn: 300, warmUpMs: 4000 }
  const mostAsked = isSmall ? 100 : Number.POSITIVE_INFINITY
  const loads = [loadavg()[0] ?? 0]

  const parent = temporaryFolder()
  const setup = await openSetup(parent, workload, made, say)
  const checker = openChecker(setup.duckdb, setup.files, parent)
  const all = casesOf(workload, setup.at).map((one) => ({
    ...one,
    questions: one.questions.slice(0, mostAsked),
  }))

  const cases: PeerCase[] = []
  for (const one of all.filter(({ id }) => wanted(id))) {
    const implementations = await openImplementations(setup, one, checker)
    for (const { connections, implementations: named } of one.turns) {
      const facts = { id: one.id, name: one.name, distinct: one.questions.length, connections }
      cases.push(await measure(facts, implementations.at(connections, named), rounds))
    }
    loads.push(loadavg()[0] ?? 0)
    say(`${one.id}, ${one.name}: ${one.questions.length} answers checked and timed`)
  }
  if (wanted('K1')) cases.push(...(await measureLookups(setup, rounds, Math.min(KEYS_ASKED, mostAsked))))
  const pages = all.find(({ id }) => id === 'P1')?.questions.map(({ address }) => address) ?? []
  if (wanted('H1')) cases.push(...(await measureUnchanged(setup, pages, rounds)))
  say('lookups and unchanged answers are timed')

  const [totals, hotspots] = [await answersOf('T1'), await answersOf('T3')]
  const coldHotspots = await measureColdHotspots(setup, hotspots)
  const starts = await measureStarts(setup.lake, totals[0] as Asked, hotspots[0] as Asked)
  const bytes = await bytesOfShares(setup)
  const ranges = await answersOf('T2')
  // They would build what is derived from the new day again.
  await Promise.all([setup.remembering.stop(), setup.two.stop()])
  await setup.load.prepare('while ingesting', setup.served.address, ranges)
  const ingests = wanted('I1')
    ? await measureWhileIngesting(setup, parent, workload, 'while ingesting', isSmall)
    : []
  loads.push(loadavg()[0] ?? 0)
  say('everything is timed')
  await setup.close()

  const result: PeersResult = {
    ...resultOf(`peers-${size}`, [workload], cases),
    ...{ coldHotspots, starts, ingests, bytes },
    postgres: setup.postgres && { version: setup.postgres.version, strong: setup.postgres.strong },
    ...{ ingestSeconds: setup.ingestSeconds, isCompacted: setup.isCompacted, isPinned: setup.load.isPinned },
    loads,
  }
  report(result, peersTables(result), isWhole && !isSmall)

  /** Some requests of a case, and the answers that the files say. */
  async function answersOf(id: string): Promise<readonly Asked[]> {
    const { questions } = all.find((one) => one.id === id) as Case
    const some = questions.slice(0, 100)
    const bodies = await checker.totals(some)
    return some.map(({ address }, index) => ({ path: address, status: 200, body: bodies[index] ?? '' }))
  }
}
