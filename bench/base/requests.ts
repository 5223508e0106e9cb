import { l1DcBurns } from '../../src/catalog/l1/dc-burns.ts'
import { l1Gateways } from '../../src/catalog/l1/gateways.ts'
import { l1Packets } from '../../src/catalog/l1/packets.ts'
import { l1Rewards } from '../../src/catalog/l1/rewards.ts'
import { l1TransactionActors } from '../../src/catalog/l1/transaction-actors.ts'
import { l1Transactions } from '../../src/catalog/l1/transactions.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import { casesOf } from '../peers/cases.ts'
import { lookups, pathOfKey } from '../peers/lookups.ts'
import type { Client } from '../support/client.ts'
import type { Workload } from '../support/network.ts'

/** Requests of one kind, sent over so many connections. */
export interface Requests {
  readonly id: string
  readonly name: string
  readonly paths: readonly string[]
  readonly connections: readonly number[]
}

/** Of the random requests; enough that none is repeated within a turn of one connection. */
const MOST_PATHS = 5000
const LOOKED_UP = 50
const share =
  'id hotspotKey amount beaconAmount witnessAmount dcTransferAmount startPeriod endPeriod rewardType'

/** Filters of the ledger that find few rows. */
const selective: readonly (readonly [Resource, string])[] = [
  [l1Gateways, 'owner_address'],
  [l1Transactions, 'block'],
  [l1TransactionActors, 'actor_address'],
  [l1DcBurns, 'actor_address'],
  [l1Packets, 'gateway_address'],
  [l1Rewards, 'gateway_address'],
]

/** What both builds are asked: the cases of the comparison with others, lookups, filters and pages of the ledger, GraphQL. */
export async function requestsOf(
  workload: Workload,
  at: Snapshot,
  base: Client,
): Promise<readonly Requests[]> {
  const cases = casesOf(workload, at).map(({ id, name, questions, turns }) => ({
    id,
    name,
    paths: questions.slice(0, MOST_PATHS).map(({ address }) => address),
    connections: turns.map(({ connections }) => connections),
  }))
  const records: Requests[] = []
  for (const kind of lookups) {
    const listed = await listedOf(base, `/v1/net${kind.resource.rest?.path}`)
    const paths = listed.map((record) => pathOfKey(kind, record[kind.column] ?? ''))
    records.push({ id: 'K1', name: kind.name, paths, connections: [1, 64] })
  }
  for (const [resource, column] of selective) {
    const address = `/v1/net${resource.rest?.path}`
    const values = new Set((await listedOf(base, address)).flatMap((record) => record[column] ?? []))
    const paths = [...values].map((value) => `${address}?${column}=${value}`)
    records.push({ id: 'F1', name: `${resource.rest?.path} of one ${column}`, paths, connections: [1, 64] })
  }
  return [...cases, ...records, ...ledgerPages, ...(await connections(base))]
}

/** Some records of a list, to look up. */
async function listedOf(base: Client, path: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const { objects, records } = JSON.parse((await base.get(`${path}?per_page=${LOOKED_UP}`)).toString())
  return objects ?? records
}

const ledgerPages: readonly Requests[] = [
  {
    id: 'L1',
    name: 'pages 1 to 20 of the transactions',
    paths: Array.from({ length: 20 }, (_, at) => `/v1/net/l1/transactions?per_page=100&page=${at + 1}`),
    connections: [1, 16],
  },
]

/** GraphQL by GET, as the load generator asks. */
async function connections(base: Client): Promise<readonly Requests[]> {
  const pathOf = (given: string, fields: string) =>
    `/graphql?${new URLSearchParams({ query: `{ iotRewardShares(${given}) { ${fields} } }` })}`
  const page = `nodes { ${share} } pageInfo { hasNextPage endCursor }`
  const first = JSON.parse((await base.get(pathOf('first: 100', page))).toString()) as {
    data: { iotRewardShares: { nodes: { hotspotKey: string }[]; pageInfo: { endCursor: string } } }
  }
  const { nodes, pageInfo } = first.data.iotRewardShares
  const hotspots = [...new Set(nodes.map(({ hotspotKey }) => hotspotKey))]
  const ofHotspots = hotspots.map((key) => pathOf(`first: 100, hotspotKey: "${key}"`, page))
  const next = pathOf(`first: 100, after: "${pageInfo.endCursor}"`, page)
  return [
    { id: 'G1', name: 'connection, first 100', paths: [pathOf('first: 100', page)], connections: [1, 16] },
    { id: 'G1', name: 'connection, after a cursor', paths: [next], connections: [1] },
    { id: 'G1', name: 'connection, last 100', paths: [pathOf('last: 100', page)], connections: [1] },
    { id: 'G1', name: 'connection of one hotspot', paths: ofHotspots, connections: [1, 16] },
  ]
}
