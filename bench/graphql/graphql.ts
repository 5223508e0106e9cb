import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { casesOf } from '../peers/cases.ts'
import {
  type Implementation,
  inProcess,
  type Measured,
  measure,
  type TimedCase,
  timeRatio,
} from '../peers/measure.ts'
import { openClient } from '../support/client.ts'
import { copyLake } from '../support/copy-lake.ts'
import { startLoad } from '../support/load.ts'
import { makeLake } from '../support/make-lake.ts'
import { networkSizes } from '../support/network.ts'
import { patient, serveLake } from '../support/program.ts'
import { report, resultOf } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { measurePages } from './measure-pages.ts'
import { openPostgraphile } from './postgraphile.ts'
import { checkedQueries } from './queries.ts'
import { exportShares } from './shares.ts'
import { type GraphqlCase, type GraphqlResult, graphqlTables, type PageLabel } from './table.ts'

/** Pages by cursor beside REST pages of the same rows and beside PostGraphile, and the largest queries that are allowed. */

const { values: flags } = parseArgs({
  options: { small: { type: 'boolean', default: false }, made: { type: 'string' } },
})
const workload = flags.small ? networkSizes.small : networkSizes.S
const rounds = flags.small
  ? { rounds: 3, msPerTurn: 150, warmUpMs: 1000 }
  : { rounds: 9, msPerTurn: 300, warmUpMs: 4000 }
const mostAsked = flags.small ? 100 : Number.POSITIVE_INFINITY
const pageNames: readonly string[] = ['page 1 of all', 'random page of all', 'list of one hotspot']
type GraphqlLabel = 'graphql' | 'rest'

const parent = temporaryFolder()
const { lake, at } =
  flags.made === undefined
    ? await makeLake(parent, workload, console.log)
    : await copyLake(parent, flags.made, workload, console.log)
const shares = await exportShares(lake, parent)
const duckdb = await (await DuckDBInstance.create()).connect()
const postgraphile = await openPostgraphile(duckdb, shares)
console.log(
  `PostGraphile is ${postgraphile === undefined ? 'left out, since PostgreSQL is missing' : 'loaded'}`,
)
const server = await serveLake(lake, '--answer-memory-mb', '0', ...patient)

const load = startLoad()
const pages: TimedCase<PageLabel>[] = []
for (const one of casesOf(workload, at).filter(({ name }) => pageNames.includes(name))) {
  const some = { ...one, questions: one.questions.slice(0, mostAsked) }
  pages.push(...(await measurePages({ served: server, postgraphile, duckdb, shares }, load, some, rounds)))
  console.log(`${one.name}: ${some.questions.length} responses checked and timed`)
}
load.stop()
duckdb.closeSync()
await postgraphile?.stop()

const served = openClient(server.address)
const years = 'from=2000-01-01&to=2100-01-01'
const queries = await checkedQueries(served, '/v1/net/l2/iot-reward-shares', years)
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

const result: GraphqlResult = {
  ...resultOf('graphql', [workload], cases),
  ...{ pages, peer: postgraphile?.versions, isPinned: load.isPinned },
}
report(result, graphqlTables(result), !flags.small)
