import { deepStrictEqual } from 'node:assert/strict'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Question } from '../peers/questions.ts'
import { type Client, openClient } from '../support/client.ts'
import type { Asked } from '../support/load-process.ts'
import type { Serving } from '../support/program.ts'
import type { Postgraphile } from './postgraphile.ts'
import { cursorsOf } from './shares.ts'

/** What answers, and the exported shares as SQL. */
export interface Pages {
  readonly served: Serving
  readonly postgraphile: Postgraphile | undefined
  readonly duckdb: DuckDBConnection
  readonly shares: string
}

/** Requests with their responses, each of the same records. */
export interface PageRequests {
  readonly graphql: Asked[]
  readonly rest: Asked[]
  /** Empty without PostGraphile. */
  readonly postgraphile: Asked[]
}

interface List {
  readonly nodes: readonly { readonly id: string }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string }
}

const fields = `hotspotKey amount beaconAmount witnessAmount dcTransferAmount startPeriod endPeriod rewardType }
  pageInfo { hasNextPage endCursor } } }`
const ours = {
  page: `query ($after: String) { iotRewardShares(first: 100, after: $after) { nodes { id ${fields}`,
  ofHotspot: `query ($hotspotKey: String) {
    iotRewardShares(first: 100, hotspotKey: $hotspotKey) { nodes { id ${fields}`,
}
/** The column `id` is `rowId` in PostGraphile. A page after a cursor is a range of the primary key, without OFFSET. */
const theirs = {
  page: `query ($after: Cursor) {
    iotRewardShares: allIotRewardShares(first: 100, after: $after, orderBy: PRIMARY_KEY_ASC) {
      nodes { id: rowId ${fields}`,
  ofHotspot: `query ($hotspotKey: String) {
    iotRewardShares: allIotRewardShares(
      first: 100, condition: { hotspotKey: $hotspotKey }, orderBy: PRIMARY_KEY_ASC
    ) { nodes { id: rowId ${fields}`,
}

/** Sends requests for the records of REST lists. Errors: PostGraphile returns other nodes, or REST other ids. */
export async function checkedRequests(
  { served, postgraphile, duckdb, shares }: Pages,
  questions: readonly Question[],
): Promise<PageRequests> {
  const cursors = await cursorsOf(duckdb, shares, questions.map(rowsBefore))
  const program = openClient(served.address)
  const peer = postgraphile && openClient(postgraphile.servers.postgraphile.address)
  const theirCursor = peer && (await cursorWriter(peer))
  const requests: PageRequests = { graphql: [], rest: [], postgraphile: [] }
  for (const question of questions) {
    const { address: path } = question
    const hotspotKey = question.query.filters.hotspot_key
    const kind = hotspotKey === undefined ? 'page' : 'ofHotspot'
    const place = rowsBefore(question)

    const body = (await program.get(path)).toString()
    requests.rest.push({ path, status: 200, body })
    const own = await askQuery(program, ours[kind], { hotspotKey, after: cursors.get(place) })
    requests.graphql.push(own)
    const { nodes, pageInfo } = listOf(own)
    deepStrictEqual(idsOf(nodes), idsOf(JSON.parse(body).records), path)

    if (peer === undefined) continue
    const other = await askQuery(peer, theirs[kind], { hotspotKey, after: theirCursor?.(place) })
    requests.postgraphile.push(other)
    const list = listOf(other)
    deepStrictEqual([list.nodes, list.pageInfo.hasNextPage], [nodes, pageInfo.hasNextPage], path)
  }
  program.close()
  peer?.close()
  return requests
}

/** The rows of the list before a page. */
function rowsBefore({ query: { page, perPage } }: Question): number {
  return (page - 1) * perPage
}

/** A cursor of PostGraphile is a digest of the order, then the key of the row. Undefined before the first row. */
async function cursorWriter(peer: Client): Promise<(place: number) => string | undefined> {
  const { pageInfo } = listOf(await askQuery(peer, theirs.page, {}))
  const [order] = JSON.parse(Buffer.from(pageInfo.endCursor, 'base64').toString())
  return (place) =>
    place === 0 ? undefined : Buffer.from(JSON.stringify([order, String(place)])).toString('base64')
}

/** A request by POST with its response. */
async function askQuery(client: Client, query: string, variables: object): Promise<Asked> {
  const path = '/graphql'
  const json = JSON.stringify({ query, variables })
  return { path, json, status: 200, body: (await client.post(path, json)).toString() }
}

function listOf({ body = '' }: Asked): List {
  return JSON.parse(body).data.iotRewardShares
}

function idsOf(records: List['nodes']): readonly string[] {
  return records.map(({ id }) => id)
}
