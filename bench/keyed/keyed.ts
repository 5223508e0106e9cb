import { openSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Requests, requestsOf } from '../base/requests.ts'
import { measure, overHttp, type TimedCase } from '../peers/measure.ts'
import { openClient } from '../support/client.ts'
import { copyLake } from '../support/copy-lake.ts'
import { startLoad } from '../support/load.ts'
import type { Asked } from '../support/load-process.ts'
import { makeLake } from '../support/make-lake.ts'
import { networkSizes } from '../support/network.ts'
import { bareServer, patient, program, runToEnd, startServing } from '../support/program.ts'
import { report, resultOf } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type KeyedLabel, keyedRow, keyedTable } from './table.ts'

/**
 * `npm run bench -- keyed`: a server with keys, one with --cors and one with --access-log, beside an open one and a bare node:http
 * server with the same bodies. One worker each, without a reply cache.
 */

const { values: flags } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    only: { type: 'string', default: 'T2,T3,K1,P1' },
    made: { type: 'string' },
  },
})
const workload = flags.small ? networkSizes.small : networkSizes.S
const rounds = { rounds: flags.small ? 5 : 9, msPerTurn: flags.small ? 200 : 500, warmUpMs: 2000 }
const MOST_PATHS = 2000
const origin = 'https://example.org'
const ids = flags.only.split(',')

const parent = temporaryFolder()
const { lake, at } =
  flags.made === undefined
    ? await makeLake(parent, workload, console.log)
    : await copyLake(parent, flags.made, workload, console.log)
const keyFile = join(parent, 'keys', 'keys.ndjson')
const limits = ['--rate', '9000000', '--quota', '900000000']
const added = await runToEnd([program, 'keys', 'add', '--name', 'bench', '--keys', keyFile, ...limits])
const bearer = `Authorization: Bearer ${added.stdout.trim().split('\n').at(-1)}`

// A file, since the reader of a pipe would use the cores that are measured.
const accessLog = openSync(join(parent, 'access.ndjson'), 'w')
const serve = (more: readonly string[], log: number | (() => void) = () => {}) => {
  const args = ['serve', '--lake', lake, '--port', '0', '--workers', '1', '--answer-memory-mb', '0']
  return startServing([program, ...args, ...patient, ...more], {}, log)
}
const servers = {
  open: { server: await serve([]), header: '' },
  keyed: { server: await serve(['--keys', keyFile]), header: bearer },
  cors: { server: await serve(['--cors', origin]), header: `Origin: ${origin}` },
  logged: { server: await serve(['--access-log', '--log-level', 'info'], accessLog), header: '' },
  bare: { server: await startServing([bareServer]), header: '' },
}
const labels = Object.keys(servers) as readonly KeyedLabel[]
const client = openClient(servers.open.server.address)
const bare = openClient(servers.bare.server.address)
const load = startLoad()
const cases: TimedCase<KeyedLabel>[] = []
for (const requests of await requestsOf(workload, at, client))
  if (ids.includes(requests.id)) await time(requests)
client.close()
bare.close()
load.stop()
await Promise.all(labels.map((label) => servers[label].server.stop()))

const result = resultOf('keyed', [workload], cases)
report(result, keyedTable(result), !flags.small)

/** The load generator compares each response with that of the open server. */
async function time({ id, name, paths }: Requests): Promise<void> {
  const asked: Asked[] = []
  for (const path of paths.slice(0, MOST_PATHS)) {
    const body = (await client.get(path)).toString()
    await bare.put(path, body)
    asked.push({ path, status: 200, body })
  }
  for (const label of labels) {
    const { server, header } = servers[label]
    const mine = header === '' ? asked : asked.map((one) => ({ ...one, header }))
    await load.prepare(`${name} ${label}`, server.address, mine)
  }
  for (const connections of [1, 16, 64]) {
    const of = labels.map((label) => overHttp(load, label, `${name} ${label}`, connections))
    cases.push(await measure<KeyedLabel>({ id, name, distinct: asked.length, connections }, of, rounds))
    console.log(keyedRow(cases.at(-1) as TimedCase<KeyedLabel>).join('  '))
  }
}
