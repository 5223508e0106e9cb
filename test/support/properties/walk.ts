import { expect } from 'vitest'
import { askConnection } from '../ask-graphql.ts'
import type { TestServer } from '../build-test-server.ts'
import { readExact } from '../exact-json.ts'
import { type Members, metaOf } from './model.ts'
import { graphqlCall, listOf, restParameters, type ShareQuery } from './queries.ts'

interface ShareRecord extends Members {
  readonly id: string
  readonly reward_detail: Members
}

interface SharePage {
  readonly meta: Members
  readonly records: readonly ShareRecord[]
}

/** A page of a list as it is answered. */
export async function askPage(
  { get }: TestServer,
  query: ShareQuery,
  page: number,
  perPage: number,
): Promise<SharePage> {
  const numbers = { page: String(page), per_page: String(perPage) }
  const { status, text } = await get(
    `${listOf(query)}?${new URLSearchParams({ ...restParameters(query), ...numbers })}`,
  )
  expect(status, text).toBe(200)
  return readExact<SharePage>(text)
}

/** All records of a list, page by page; each page must tell the truth about itself if `total` records match. */
export async function walkPages(
  server: TestServer,
  query: ShareQuery,
  perPage: number,
  total: number,
): Promise<readonly ShareRecord[]> {
  const records: ShareRecord[] = []
  const pages = Math.max(1, Math.ceil(total / perPage))
  for (let page = 1; page <= pages; page += 1) {
    const answered = await askPage(server, query, page, perPage)
    expect(answered.meta).toEqual(metaOf(total, page, perPage))
    expect(answered.records).toHaveLength(Number(answered.meta.count))
    records.push(...answered.records)
  }
  return records
}

/** Nodes of a connection from a cursor on, at most `most` pages, and the cursor behind them. */
export async function walkCursors(
  { server }: TestServer,
  query: ShareQuery,
  first: number,
  fields: string,
  { after = null, most = Number.POSITIVE_INFINITY }: { after?: string | null; most?: number } = {},
): Promise<{ readonly nodes: readonly Members[]; readonly after: string | null; readonly isOver: boolean }> {
  const nodes: Members[] = []
  let cursor = after
  for (let page = 0; page < most; page += 1) {
    const paging = `first: ${first}${cursor === null ? '' : `, after: ${JSON.stringify(cursor)}`}`
    const connection = await askConnection(server, graphqlCall(query, paging), fields)
    nodes.push(...connection.nodes)
    cursor = connection.pageInfo.endCursor ?? cursor
    if (!connection.pageInfo.hasNextPage) return { nodes, after: cursor, isOver: true }
    expect(connection.nodes).toHaveLength(first)
  }
  return { nodes, after: cursor, isOver: false }
}
