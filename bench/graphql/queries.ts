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
  const middle = Math.floor(pages / 2)
  const cursor = await cursorBefore(served, path, range, middle)
  const page = (name: string, given: string, at: number): TimedQuery => ({
    name,
    query: `{ iotRewardShares(${given}) { nodes { ${share} } pageInfo { hasNextPage endCursor } } }`,
    rest: restPage(at),
  })
  const lastRows = await rowsOf(served, restPage(pages))
  const checked = [
    page('first page', `first: ${PAGE}`, 1),
    page('page in the middle, after a cursor', `first: ${PAGE}, after: "${cursor}"`, middle),
    page('last page', `last: ${lastRows.length}`, pages),
  ]
  for (const { query, rest } of checked) {
    deepStrictEqual(await nodesOf(served, query), await rowsOf(served, rest ?? ''))
  }
  const iot = await hotspotsOf(served, 'iotRewardShares')
  const mobile = await hotspotsOf(served, 'mobileRewardShares')
  return [
    ...checked,
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

/** A REST page's own rows name no cursor, so it is taken from the row before. */
async function cursorBefore(served: Client, path: string, range: string, page: number): Promise<string> {
  const rows = await rowsOf(served, `${path}?${range}&per_page=${PAGE}&page=${page - 1}`)
  const target = rows.at(-1)
  let after = ''
  for (;;) {
    const { edges, pageInfo } = await listOf<{ cursor: string; node: { id: string } }>(
      served,
      `{ iotRewardShares(first: ${PAGE}, after: "${after}") { edges { cursor node { id } } pageInfo { endCursor } } }`,
    )
    const found = edges.find(({ node }) => node.id === target)
    if (found !== undefined) return found.cursor
    if (pageInfo.endCursor === null) throw new Error(`no row of REST page ${page - 1} is found by cursors`)
    after = pageInfo.endCursor
  }
}

interface List<Edge = unknown> {
  readonly nodes: readonly { readonly id: string; readonly hotspotKey: string }[]
  readonly edges: readonly Edge[]
  readonly pageInfo: { readonly endCursor: string | null }
}

/** The one list that a query asks for. */
async function listOf<Edge>(served: Client, query: string): Promise<List<Edge>> {
  const reply = JSON.parse((await served.query(query)).toString()) as { data: Record<string, List<Edge>> }
  return Object.values(reply.data)[0] as List<Edge>
}

async function nodesOf(served: Client, query: string): Promise<readonly string[]> {
  return (await listOf(served, query)).nodes.map((node) => node.id)
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
