import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'node:querystring'
import { parseArgs } from 'node:util'
import { resources } from '../../src/catalog/resources.ts'
import { querySchema } from '../../src/derive/query-schema.ts'
import { readSettings } from '../../src/settings.ts'
import { openCounted } from '../../test/support/counting-engine.ts'
import { alternate } from '../support/alternate.ts'
import { openClient } from '../support/client.ts'
import { median, spreadOf, thinOut } from '../support/percentiles.ts'
import { program, runToEnd, startServing } from '../support/program.ts'
import { headOf, resultOf, writeResult } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openArchive } from './archive-database.ts'
import { type Expected, expect } from './check.ts'
import { type Sort, sortsOf } from './sorts.ts'
import { type ListCase, listsTable } from './table.ts'

/**
 * Filters and lookups of the ledger over HTTP. Every answer is first compared with what a plain database says that was
 * loaded from the same archive. `--archive`, `--lake` and `--database` take what is there already, or leave it there.
 */

const { values: flags } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    archive: { type: 'string' },
    lake: { type: 'string' },
    database: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const transactions = flags.small ? 20_000 : 5_000_000
const questionsPerSort = flags.small ? 4 : 12
const turns = { rounds: 3, msPerTurn: flags.small ? 50 : 700, mostPerTurn: 200 }
const MOST_SAMPLES_KEPT = 200

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
const sorts = (await sortsOf(database, questionsPerSort)).filter(({ name }) => name.includes(flags.only))
const server = await startServing([program, 'serve', '--lake', lake, '--port', '0', '--workers', '1'])
const served = openClient(server.address)
const services = await openCounted(readSettings({}, { lake }))
const at = await services.lake.latest()
await services.warm(at)

const cases: ListCase[] = []
for (const sort of sorts) {
  const expected = await expectations(sort)
  const work = await workOf(sort, expected)
  for (const { address, check } of expected) check((await served.get(address)).toString())
  const ask = (index: number) => served.get((expected[index % expected.length] as Expected).address)
  const micros = ((await alternate([{ name: 'ours', ask }], turns)).get('ours') ?? []).flat()
  const times = { ...spreadOf(micros), micros: thinOut(micros, MOST_SAMPLES_KEPT).map(Math.round) }
  const { name, targetMs } = sort
  cases.push({ name, targetMs, distinct: expected.length, times, ...work })
  const isMet = times.p50 / 1000 <= targetMs
  console.log(`${isMet ? 'met ' : 'MISS'} ${name}: ${(times.p50 / 1000).toFixed(1)} ms of ${targetMs}`)
}
served.close()
await server.stop()
await services.close()
database.close()

const workload = {
  name: `${transactions.toLocaleString('en-US')} transactions`,
  days: 0,
  hotspots: 0,
  seed: '1',
}
const result = resultOf('lists', [workload], cases)
console.log(`\n${headOf(result)}\n\n${listsTable(result)}`)
if (!flags.small && flags.only === '') console.log(`\n${writeResult(result)}`)

async function expectations(sort: Sort): Promise<readonly Expected[]> {
  const expected: Expected[] = []
  for (const [index, question] of sort.questions.entries()) {
    expected.push(await expect(database, sort, question, (index + 0.5) / sort.questions.length))
  }
  return expected
}

/** Statements, files and bytes of the engine for requests that it sees for the first time. */
async function workOf(
  { path }: Sort,
  expected: readonly Expected[],
): Promise<Pick<ListCase, 'statements' | 'files' | 'kilobytesRead'>> {
  const resource = resources.find(({ rest }) => rest?.path === path)
  if (resource === undefined) throw new Error(`there is no list at ${path}`)
  const taken: { statements: number; files: number; kilobytesRead: number }[] = []
  for (const { address } of expected) {
    const before = { ...services.engine.work(), bytes: bytesRead() }
    const [route = '', text] = address.split('?')
    if (text === undefined) {
      const id = decodeURIComponent(route.slice(route.lastIndexOf('/') + 1))
      await services.repository.find(resource, id, at)
    } else {
      const query = querySchema(resource, 'list')({ ...parse(text) })
      await services.repository.list(resource, query.filters, query, at)
    }
    const after = services.engine.work()
    taken.push({
      statements: after.statements - before.statements,
      files: after.files - before.files,
      kilobytesRead: (bytesRead() - before.bytes) / 1000,
    })
  }
  return {
    statements: median(taken.map((work) => work.statements)),
    files: median(taken.map((work) => work.files)),
    kilobytesRead: median(taken.map((work) => work.kilobytesRead)),
  }
}

/** What this process has read from files so far, from the disk or from the cache of the system. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0)
}
