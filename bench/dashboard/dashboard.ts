import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openClient } from '../support/client.ts'
import { freePort } from '../support/free-port.ts'
import { spreadOf } from '../support/percentiles.ts'
import { startPostgres } from '../support/postgres.ts'
import { program, runToEnd, type Serving, serveLake } from '../support/program.ts'
import { report, resultOf } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { copyToPostgres } from './copy-to-postgres.ts'
import { dashboardQuestions } from './questions.ts'
import { type DashboardCase, dashboardTables } from './table.ts'

/** The panels of the Grafana dashboard by the wire of PostgreSQL, beside a PostgreSQL with B-trees, and REST beside ten of them. */

const { values: flags } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    hotspots: { type: 'string', default: '10000' },
    days: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '7' },
  },
})
const [hotspots, days, rounds, ms] = flags.small
  ? [300, 20, 3, 3000]
  : [Number(flags.hotspots), Number(flags.days), Number(flags.rounds), 15_000]
const DASHBOARDS = 10
const CALLERS = 8

const parent = temporaryFolder()
const [lake, files] = [join(parent, 'lake'), join(parent, 'network')]
const size = ['--hotspots', String(hotspots), '--days', String(days)]
await runToEnd([program, 'sample', '--out', files, ...size])
await runToEnd([program, 'ingest', files, '--lake', lake])
const port = await freePort()
const patient = ['--request-timeout-ms', '600000', '--slow-request-ms', '0', '--log-level', 'error']
const doors = ['--postgres', `127.0.0.1:${port}`, '--answer-memory-mb', '0']
const server = await serveLake(lake, ...doors, ...patient)
const postgres = startPostgres()
if (postgres === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql-15')
const ours = `postgres://bench@127.0.0.1:${port}/ledgerlake`
copyToPostgres(ours, postgres)

/** Texts of all values, so that none is rounded. */
const types = { getTypeParser: () => String }
const open = async (options: Readonly<Record<string, unknown>>) => {
  const client = new pg.Client({ ...options, types })
  await client.connect()
  return client
}
const here = await open({ connectionString: ours })
const there = await open({ host: postgres.host, user: postgres.user, database: 'postgres' })
const { rows: ends } = await here.query(
  'SELECT max(day) - 29 AS first, max(day) AS last, min(name) AS name FROM earnings',
)
const [first = '', last = '', hotspot = ''] = Object.values(ends[0] ?? {}).map(String)
const questions = dashboardQuestions(first, last, hotspot)

const cases: DashboardCase[] = []
for (const { title, statement, forPostgres } of questions) {
  const [oursMs, postgresMs]: [number[], number[]] = [[], []]
  const { rows } = await here.query({ text: statement, rowMode: 'array' })
  const { rows: others } = await there.query({ text: forPostgres, rowMode: 'array' })
  const [read, expected] = [plain(rows), plain(others)]
  if (read !== expected)
    throw new Error(`${title}: ${read.slice(0, 500)}\nPostgreSQL: ${expected.slice(0, 500)}`)
  for (let round = 0; round < rounds; round += 1) {
    oursMs.push(await timed(() => here.query(statement)))
    postgresMs.push(await timed(() => there.query(forPostgres)))
  }
  cases.push({ title, rows: rows.length, oursMs, postgresMs })
}
await there.end()
postgres.stop()

await here.end()
await server.stop()

for (const setting of ['', '--sql-when-idle']) {
  const server = await serveLake(lake, ...doors, ...patient, ...(setting === '' ? [] : [setting]))
  cases.push({ setting, dashboards: DASHBOARDS, ...(await besideDashboards(server.address)) })
  await server.stop()
}

const workload = { name: `${days} days x ${hotspots} hotspots`, days, hotspots, seed: '1' }
const result = resultOf('dashboard', [workload], cases)
report(result, dashboardTables(result), !flags.small)

async function timed(ask: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await ask()
  return performance.now() - start
}

/** Times requests alone, and beside clients that ask the questions one after another. */
async function besideDashboards(address: Serving['address']) {
  await callTotals(address, ms / 3)
  const alone = spreadOf(await callTotals(address, ms))
  let isOver = false
  let answered = 0
  const dashboards = Array.from({ length: DASHBOARDS }, async () => {
    const client = await open({ connectionString: ours })
    while (!isOver)
      for (const { statement } of questions) {
        if (isOver) break
        await client.query(statement)
        answered += 1
      }
    await client.end()
  })
  const began = performance.now()
  const beside = spreadOf(await callTotals(address, ms))
  const questionsPerSecond = (answered * 1000) / (performance.now() - began)
  isOver = true
  await Promise.all(dashboards)
  return { alone, beside, questionsPerSecond }
}

/** Milliseconds of each reply to callers that ask again when they have it. */
async function callTotals(address: Serving['address'], forMs: number): Promise<readonly number[]> {
  const end = performance.now() + forMs
  const samples: number[] = []
  const totals = `/v1/net/l2/iot-reward-shares/totals?from=${first}&to=${last}`
  const callers = Array.from({ length: CALLERS }, async () => {
    const client = openClient(address)
    while (performance.now() < end) samples.push(await timed(() => client.get(totals)))
    client.close()
  })
  await Promise.all(callers)
  return samples
}

/** Rows as text, sorted, since equal times come in any order; zeros at the end of decimals do not count. */
function plain(rows: readonly object[]): string {
  const textOf = (cell: unknown) =>
    cell === null
      ? 'NULL'
      : String(cell)
          .replace(/^(-?\d+)\.(\d*?)0+$/, '$1.$2')
          .replace(/\.$/, '')
  return rows
    .map((row) => Object.values(row).map(textOf).join('|'))
    .sort()
    .join('\n')
}
