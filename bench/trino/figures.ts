import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { l1Transactions } from '../../src/catalog/l1/transactions.ts'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { openDuckdbEngine } from '../../src/engine/duckdb/queries/duckdb-engine.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { register } from '../../test/support/trino/compare.ts'
import { markdownTable } from '../support/markdown.ts'
import { median } from '../support/percentiles.ts'
import { program, runToEnd, serveLake } from '../support/program.ts'

const ROUNDS = 15
const WARM = 2
const DAYS = 31

/** The middle of request times, in milliseconds: with DuckDB, with Trino behind log and index, and with Trino behind the log alone. */
export async function measureTrino(server: string, folder: string, hotspots: number): Promise<string> {
  const lake = join(folder, `lake-${DAYS}x${hotspots}`)
  if (!existsSync(lake)) await makeLake(lake, join(folder, 'sample'), hotspots)
  await register(server, lake, 'measured')
  const { keys, transactions, rows } = await draw(lake, folder)
  const trino = ['--engine', 'trino', '--trino-server', server, '--trino-schema', 'measured']
  const common = ['--answer-memory-mb', '0']
  const servers = [
    await serveLake(lake, ...common),
    await serveLake(lake, ...common, ...trino),
    await serveLake(lake, ...common, ...trino, '--state', join(await anyFile(folder), 'state')),
  ]
  const list = '/v1/net/l2/iot-reward-shares'
  const day = (number: number) => `2025-02-${String(1 + (number % 27)).padStart(2, '0')}`
  const mobile = '/v1/net/l2/hotspots?networks=mobile&per_page=100'
  const range = (round: number) => `from=${day(round)}&to=2025-03-04`
  const cases: Readonly<Record<string, (round: number) => string>> = {
    'T1: totals of everything': () => `${list}/totals?from=2025-01-01&to=2025-12-31`,
    'T2: totals of 1 to 31 days': (round) => `${list}/totals?${range(round)}`,
    'T3: totals of a hotspot': (round) => `${list}/totals?${range(round)}&hotspot_key=${keys[round]}`,
    'P1: page 1, 100 rows': () => `${list}?from=2025-02-01&to=2025-03-04&per_page=100`,
    'P2: a page at any depth': (round) =>
      `${list}?from=2025-02-01&to=2025-03-04&per_page=100&page=${deep(round, rows)}`,
    'P2: the same of a reward_type': (round) =>
      `${list}?from=2025-02-01&to=2025-03-04&per_page=100&reward_type=gateway_reward&page=${deep(round, rows)}`,
    'P3: the list of a hotspot': (round) => `${list}?${range(round)}&hotspot_key=${keys[round]}`,
    'K1: a transaction by its hash': (round) => `/v1/net/l1/transactions/${transactions[round]}`,
    'K1: a hotspot by its key': (round) => `/v1/net/l2/hotspots/${keys[round]}`,
    'F1: mobile hotspots, page 1': () => `${mobile}&page=1`,
    'F2: the same, any page': (round) => `${mobile}&page=${1 + Math.floor(((round * 0.618) % 1) * 298)}`,
    'F3: the same behind a cursor, GraphQL': (round) => behind(String.fromCharCode(97 + round)),
  }
  const table: string[][] = []
  try {
    for (const [name, path] of Object.entries(cases)) {
      const times = servers.map((): number[] => [])
      for (let round = 0; round < ROUNDS + WARM; round += 1) {
        const answers: string[] = []
        for (const [place, { address }] of servers.entries()) {
          const began = performance.now()
          const reply = await ask(address, path(round))
          answers.push(`${reply.status} ${await reply.text()}`)
          if (round >= WARM) times[place]?.push(performance.now() - began)
        }
        if (
          !answers[0]?.startsWith('200 ') ||
          answers[0].includes('"errors"') ||
          answers.some((answer) => answer !== answers[0])
        )
          throw new Error(`${path(round)}: ${answers.map((answer) => answer.slice(0, 300)).join('\n')}`)
      }
      table.push([name, ...times.map((own) => median(own).toFixed(1))])
    }
  } finally {
    for (const { stop } of servers) await stop()
  }
  const head = [
    `p50 in ms, ${rows} IoT shares`,
    'DuckDB',
    'Trino, log and index',
    'Trino and log, no state folder',
  ]
  return markdownTable(head, table)
}

async function makeLake(lake: string, input: string, hotspots: number): Promise<void> {
  const size = ['--hotspots', `${hotspots}`]
  const l2 = ['--out', input, '--days', `${DAYS}`, '--start', '2025-02-01', ...size]
  const l1 = ['--l1', '--out', join(input, 'l1'), '--transactions', '20000', ...size]
  await runToEnd([program, 'sample', ...l2])
  await runToEnd([program, 'sample', ...l1])
  await runToEnd([program, 'ingest', input, '--lake', lake])
  await rm(input, { recursive: true })
}

/** Below a file no folder can be made, so a server with its state there builds no index. */
async function anyFile(folder: string): Promise<string> {
  const file = join(folder, 'file')
  await writeFile(file, '')
  return file
}

/** Keys of hotspots and hashes of transactions that are there, read by DuckDB. */
async function draw(lake: string, folder: string) {
  const engine = await openDuckdbEngine({
    ...{ folders: [lake], spillFolder: join(folder, 'spill'), memoryMb: 256, threads: 2, connections: 1 },
  })
  const at = await new Lake(lake).latest()
  const order = { where: [], limit: 4 * (ROUNDS + WARM), offset: 500 }
  const shares = await engine.rows({ ...order, resource: iotRewardShares, columns: ['hotspot_key'] }, at)
  const key = 'transaction_hash'
  const sent = await engine.rows({ ...order, resource: l1Transactions, columns: [key] }, at)
  await engine.close()
  return {
    keys: shares.flatMap(({ hotspot_key: key }) => (typeof key === 'string' ? [key] : [])),
    transactions: sent.map((row) => String(row[key])),
    rows: at.table(iotRewardShares).rows,
  }
}

/** Mobile hotspots behind a name, by a cursor as the API writes them. */
function behind(name: string): string {
  const after = Buffer.from(JSON.stringify(['hotspots', name, ''])).toString('base64url')
  return `{ hotspots(networks: "mobile", first: 100, after: "${after}") { nodes { name assetId owner } pageInfo { endCursor } } }`
}

/** A path of REST, or a query of GraphQL. */
function ask(address: string, asked: string): Promise<Response> {
  if (asked.startsWith('/')) return fetch(`${address}${asked}`)
  const headers = { 'content-type': 'application/json' }
  return fetch(`${address}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query: asked }) })
}

function deep(round: number, rows: number): number {
  return 1 + Math.floor(((round * 0.618) % 1) * (rows / 100 - 2))
}
