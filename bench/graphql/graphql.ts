import { parseArgs } from 'node:util'
import { alternate, type Implementation } from '../support/alternate.ts'
import { openClient } from '../support/client.ts'
import { epochsOfWorkload, quickTry, thirtyDays, writeOracleFiles } from '../support/network.ts'
import { median, spreadOf, thinOut } from '../support/percentiles.ts'
import { program, runToEnd, startServing } from '../support/program.ts'
import { headOf, resultOf, writeResult } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { checkedQueries } from './queries.ts'
import { type GraphqlCase, graphqlTable } from './table.ts'

/** Pages by cursor beside REST pages of the same rows, and the largest queries that are allowed. */

const { values: flags } = parseArgs({ options: { small: { type: 'boolean', default: false } } })
const workload = flags.small ? quickTry : thirtyDays
const turns = { rounds: 5, msPerTurn: flags.small ? 100 : 1000, mostPerTurn: 400 }
const MOST_SAMPLES_KEPT = 200

const parent = temporaryFolder()
const { folder } = await writeOracleFiles(parent, workload)
await runToEnd([program, 'ingest', folder, '--lake', `${parent}/lake`])
const server = await startServing([
  program,
  'serve',
  '--lake',
  `${parent}/lake`,
  '--port',
  '0',
  '--workers',
  '1',
])
const served = openClient(server.address)
const years = 'from=2000-01-01&to=2100-01-01'
const queries = await checkedQueries(served, '/v1/net/l2/iot-reward-shares', years)
console.log(`${queries.length} queries checked over ${epochsOfWorkload(workload).length} days`)

const cases: GraphqlCase[] = []
for (const { name, query, rest } of queries) {
  const implementations: Implementation<'graphql' | 'rest'>[] = [
    { name: 'graphql', ask: () => served.query(query) },
  ]
  if (rest !== null) implementations.push({ name: 'rest', ask: () => served.get(rest) })
  const taken = await alternate(implementations, turns)
  const micros = (taken.get('graphql') ?? []).flat()
  const restMicros = (taken.get('rest') ?? []).flat()
  cases.push({
    name,
    bodyBytes: (await served.query(query)).length,
    times: { ...spreadOf(micros), micros: thinOut(micros, MOST_SAMPLES_KEPT).map(Math.round) },
    toRest: rest === null ? null : median(micros) / median(restMicros),
  })
}
served.close()
await server.stop()

const result = resultOf('graphql', [workload], cases)
console.log(`\n${headOf(result)}\n\n${graphqlTable(result)}`)
if (!flags.small) console.log(`\n${writeResult(result)}`)
