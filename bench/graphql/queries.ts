import { deepStrictEqual } from 'node:assert/strict'
import type { Client } from '../support/client.ts'

/** A query to time, and the REST page that has the same rows, if one has. */
export interface TimedQuery {
  readonly name: string
  readonly query: string
  readonly rest: string | null
}

const PAGE = 100
const share =
  'id hotspotKey amount beaconAmount witnessAmount dcTransferAmount startPeriod endPeriod rewardType'

/** The fields of mobile shares that have the most values that one list may ask for. */
const mobileShare = `id ownerKey hotspotKey cbsdId amount startPeriod endPeriod rewardType dcTransferReward pocReward
  subscriberId subscriberReward discoveryLocationAmount unallocatedRewardType serviceProviderId baseCoveragePointsSum
  boostedCoveragePointsSum baseRewardShares boostedRewardShares basePocReward boostedPocReward seniorityTimestamp
  locationTrustScoreMultiplier speedtestMultiplier spBoostedHexStatus oracleBoostedHexStatus entity
  serviceProviderAmount matchedAmount coverageObject`

const aliased = (count: number, call: (index: number) => string, fields: string) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${call(index)} { nodes { ${fields} } }`).join(' ')} }`

/** Makes the queries over a served lake, after comparing their rows with those of REST. Throws when they differ. */
export async function checkedQueries(
  served: Client,
  path: string,
  range: string,
): Promise<readonly TimedQuery[]> {
  const restPage = (page: number) => `${path}?${range}&per_page=${PAGE}&page=${page}`
  const first = JSON.parse((await served.get(restPage(1))).toString()) as { meta: { total_pages: number } }
  const pages = first.meta.total_pages
  const lastRows = await rowsOf(served, restPage(pages))
  const last: TimedQuery = {
    name: 'last page',
    query: `{ iotRewardShares(last: ${lastRows.length}) { nodes { ${share} } pageInfo { hasNextPage endCursor } } }`,
    rest: restPage(pages),
  }
  const { nodes } = await listOf(served, last.query)
  deepStrictEqual(
    nodes.map(({ id }) => id),
    lastRows,
  )
  const iot = await hotspotsOf(served, 'iotRewardShares')
  const mobile = await hotspotsOf(served, 'mobileRewardShares')
  return [
    last,
    {
      name: 'first page, one field',
      query: `{ iotRewardShares(first: ${PAGE}) { nodes { beaconAmount } } }`,
      rest: restPage(1),
    },
    {
      name: 'largest by values: 6 lists of 100 rows with 30 fields',
      query: aliased(6, () => 'mobileRewardShares', mobileShare),
      rest: null,
    },
    {
      name: 'largest by lists: 10 hotspots, 48 rows each with 30 fields',
      query: aliased(
        10,
        (index) => `mobileRewardShares(first: 48, hotspotKey: "${mobile[index]}")`,
        mobileShare,
      ),
      rest: null,
    },
    {
      name: 'largest by search: 10 IoT hotspots over all days',
      query: aliased(10, (index) => `iotRewardShares(hotspotKey: "${iot[index]}")`, share),
      rest: null,
    },
  ]
}

interface List {
  readonly nodes: readonly { readonly id: string; readonly hotspotKey: string }[]
}

/** The one list that a query asks for. */
async function listOf(served: Client, query: string): Promise<List> {
  const reply = JSON.parse((await served.query(query)).toString()) as { data: Record<string, List> }
  return Object.values(reply.data)[0] as List
}

async function rowsOf(served: Client, address: string): Promise<readonly string[]> {
  const { records } = JSON.parse((await served.get(address)).toString()) as { records: { id: string }[] }
  return records.map((record) => record.id)
}

async function hotspotsOf(served: Client, list: string): Promise<readonly string[]> {
  const { nodes } = await listOf(
    served,
    `{ ${list}(first: 10, rewardType: "gateway_reward") { nodes { hotspotKey } } }`,
  )
  return nodes.map((node) => node.hotspotKey)
}
