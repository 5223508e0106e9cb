import { parseArgs } from 'node:util'
import { type Implementation, inProcess, type Measured, measure, timeRatio } from '../peers/measure.ts'
import { openClient } from '../support/client.ts'
import { ingestNetwork } from '../support/make-lake.ts'
import { epochsOfWorkload, quickTry, thirtyDays } from '../support/network.ts'
import { serveLake } from '../support/program.ts'
import { report, resultOf } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { checkedQueries } from './queries.ts'
import { type GraphqlCase, graphqlTable } from './table.ts'

/** Pages by cursor beside REST pages of the same rows, and the largest queries that are allowed. */

const { values: flags } = parseArgs({ options: { small: { type: 'boolean', default: false } } })
const workload = flags.small ? quickTry : thirtyDays
const rounds = { rounds: 5, msPerTurn: flags.small ? 100 : 1000, warmUpMs: 150 }
type GraphqlLabel = 'graphql' | 'rest'

const server = await serveLake(await ingestNetwork(temporaryFolder(), workload))
const served = openClient(server.address)
const years = 'from=2000-01-01&to=2100-01-01'
const queries = await checkedQueries(served, '/v1/net/l2/iot-reward-shares', years)
console.log(`${queries.length} queries checked over ${epochsOfWorkload(workload).length} days`)

const cases: GraphqlCase[] = []
for (const { name, query, rest } of queries) {
  const asks: Implementation<GraphqlLabel>[] = [inProcess('graphql', () => served.query(query))]
  if (rest !== null) asks.push(inProcess('rest', () => served.get(rest)))
  const timed = await measure({ id: 'G', name, distinct: 1, connections: 1 }, asks, rounds)
  const bodyBytes = (await served.query(query)).length
  cases.push({
    name,
    bodyBytes,
    times: timed.implementations.graphql as Measured,
    toRest: timeRatio(timed, 'graphql', 'rest'),
  })
}
served.close()
await server.stop()

const result = resultOf('graphql', [workload], cases)
report(result, graphqlTable(result), !flags.small)
