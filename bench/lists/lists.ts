import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readSettings } from '../../src/services/settings/settings.ts'
import { openCounted } from '../../test/support/counting-engine.ts'
import { measure, overHttp, type TimedCase } from '../peers/measure.ts'
import { openClient } from '../support/client.ts'
import { startLoad } from '../support/load.ts'
import type { Asked } from '../support/load-process.ts'
import { digitsOr } from '../support/markdown.ts'
import { patient, program, runToEnd, serveLake } from '../support/program.ts'
import { report, resultOf } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { answersOf, CHECKED } from './answers.ts'
import { openArchive } from './archive-database.ts'
import { openPeer } from './peer.ts'
import { type Sort, sortsOf } from './sorts.ts'
import { type ListCase, type Lister, listsTable } from './table.ts'
import { workOf } from './work-of.ts'

/**
 * Filters and lookups of the ledger over HTTP, the selective ones in turns with PostgreSQL. Answers are first compared with what a plain
 * database says that was loaded from the same archive. `--archive`, `--lake` and `--database` take what is there already, or leave it there.
 */

const { values: flags } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    transactions: { type: 'string', default: '500000' },
    archive: { type: 'string' },
    lake: { type: 'string' },
    database: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const transactions = flags.small ? 20_000 : Number(flags.transactions)
const drawn = flags.small ? { selective: 20, broad: 4 } : { selective: 1000, broad: CHECKED }
const rounds = flags.small
  ? { rounds: 2, msPerTurn: 50, warmUpMs: 20 }
  : { rounds: 5, msPerTurn: 300, warmUpMs: 4000 }

const parent = temporaryFolder()
const archive = flags.archive ?? join(parent, 'archive')
const lake = flags.lake ?? join(parent, 'lake')
if (flags.archive === undefined) {
  const sizes = ['--transactions', String(transactions), '--hotspots', String(transactions / 5)]
  await runToEnd([program, 'sample', '--l1', '--out', archive, ...sizes])
}
if (flags.lake === undefined) {
  const { seconds, peakMb } = await runToEnd([program, 'ingest', archive, '--lake', lake])
  console.log(`ingested and sorted in ${seconds.toFixed(0)} s, ${peakMb?.toFixed(0)} MB at most`)
}
const database = await openArchive(archive, flags.database ?? join(parent, 'archive.duckdb'))
const sorts = (await sortsOf(database, drawn)).filter(({ name }) => name.includes(flags.only))
const peer = await openPeer(lake)
if (peer === undefined) console.log('PostgreSQL is not there, so it is left out')
else console.log(`PostgreSQL ${peer.version} is loaded in ${peer.loadSeconds.toFixed(0)} s`)
const server = await serveLake(lake, '--answer-memory-mb', '0', ...patient)
const ours = openClient(server.address)
const theirs = peer && openClient(peer.server.address)
const services = await openCounted(readSettings({}, { lake }))
const at = await services.lake.latest()
await services.warm(at)
const load = startLoad()

const cases: ListCase[] = []
for (const sort of sorts) {
  const { name, path, targetMs, isSelective } = sort
  const asked = await answersOf(sort, database, ours, theirs)
  const addresses = asked.slice(0, CHECKED).map((one) => one.path)
  const work = await workOf(services, at, path, addresses)
  const callers: TimedCase<Lister>[] = []
  for (const connections of isSelective ? [1, 16, 64] : [1])
    callers.push(await time(sort, asked, connections))
  const times = callers[0]?.implementations.ours
  if (times === undefined) throw new Error(`${name} was not timed`)
  cases.push({ name, targetMs, distinct: asked.length, times, callers, ...work })
  const isMet = times.p50 / 1000 <= targetMs
  console.log(`${isMet ? 'met ' : 'MISS'} ${name}: ${digitsOr(times.p50 / 1000)} ms of ${targetMs}`)
}
load.stop()
ours.close()
theirs?.close()
await server.stop()
await peer?.stop()
await services.close()
database.close()

const workload = {
  name: `${transactions.toLocaleString('en-US')} transactions`,
  days: 0,
  hotspots: 0,
  seed: '1',
}
const result = resultOf('lists', [workload], cases)
report(result, listsTable(result), !flags.small && flags.only === '')

/** Every timed answer is compared again. */
async function time(
  { name, isSelective }: Sort,
  asked: readonly Asked[],
  connections: number,
): Promise<TimedCase<Lister>> {
  const implementations = [overHttp<Lister>(load, 'ours', `${name} ours`, connections)]
  await load.forget()
  await load.prepare(`${name} ours`, server.address, asked)
  if (isSelective && peer !== undefined) {
    await load.prepareLike(`${name} postgres`, peer.server.address, `${name} ours`, '/strong')
    implementations.push(overHttp<Lister>(load, 'postgres', `${name} postgres`, connections))
  }
  return await measure({ id: 'L2', name, distinct: asked.length, connections }, implementations, rounds)
}
