import { expect } from 'vitest'
import { readExact } from '../exact-json.ts'
import type { ShareFile } from '../network/shares.ts'
import { askConnection } from '../servers/ask-graphql.ts'
import type { TestServer } from '../servers/build-test-server.ts'
import { type Members, metaOf, plainRecord, recordOf, sharesOf } from './model.ts'
import { graphqlCall, pathOf, type ShareQuery } from './queries.ts'

interface ShareRecord extends Members {
  readonly id: string
  readonly reward_detail: Members
}

interface SharePage {
  readonly meta: Members
  readonly records: readonly ShareRecord[]
}

/** All records of a list, page by page, which must be the shares that match, each page with the right meta. */
export async function walkPages(
  { get }: TestServer,
  files: readonly ShareFile[],
  query: ShareQuery,
  perPage: number,
): Promise<readonly ShareRecord[]> {
  const shares = sharesOf(files, query)
  const records: ShareRecord[] = []
  const pages = Math.max(1, Math.ceil(shares.length / perPage))
  for (let page = 1; page <= pages; page += 1) {
    const { status, text } = await get(pathOf({ verb: 'list', query, page, perPage }))
    expect(status, text).toBe(200)
    const answered = readExact<SharePage>(text)
    expect(answered.meta).toEqual(metaOf(shares.length, page, perPage))
    expect(answered.records).toHaveLength(Number(answered.meta.count))
    records.push(...answered.records)
  }
  expect(records.map(plainRecord)).toEqual(shares.map((share) => recordOf(files, share)))
  expect(new Set(records.map(({ id }) => id)).size).toBe(records.length)
  return records
}

/** Nodes of a connection from a cursor on, at most `most` pages, and the cursor behind them. */
export async function walkCursors(
  { server }: TestServer,
  query: ShareQuery,
  first: number,
  fields: string,
  { after = null, most = Number.POSITIVE_INFINITY }: { after?: string | null; most?: number } = {},
): Promise<{ readonly nodes: readonly Members[]; readonly after: string | null }> {
  const nodes: Members[] = []
  let cursor = after
  for (let page = 0; page < most; page += 1) {
    const paging = `first: ${first}${cursor === null ? '' : `, after: ${JSON.stringify(cursor)}`}`
    const connection = await askConnection(server, graphqlCall(query, paging), fields)
    nodes.push(...connection.nodes)
    cursor = connection.pageInfo.endCursor ?? cursor
    if (!connection.pageInfo.hasNextPage) break
    expect(connection.nodes).toHaveLength(first)
  }
  return { nodes, after: cursor }
}
