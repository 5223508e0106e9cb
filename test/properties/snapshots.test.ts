import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../support/build-test-server.ts'
import { type MadeLake, makeLake } from '../support/make-lake.ts'
import { drawFewFiles } from '../support/network/few-files.ts'
import { oracleFiles } from '../support/network/oracle-files.ts'
import type { ShareFile } from '../support/network/shares.ts'
import { sharesOf } from '../support/properties/model.ts'
import {
  graphqlCall,
  listOf,
  pageNumber,
  pageSize,
  restParameters,
  type ShareQuery,
  shareQuery,
} from '../support/properties/queries.ts'
import { REQUESTS, seeds } from '../support/properties/runs.ts'
import { caughtUp, snapshotOf } from '../support/properties/served.ts'
import { walkCursors, walkPages } from '../support/properties/walk.ts'

describe.each(seeds)('commits drawn from seed %i', (seed) => {
  const files = drawFewFiles(seed)
  const early = files.slice(0, -2)
  /** Every further commit: shares of other files, and manifests that come later than their shares. */
  const commits = [
    oracleFiles(files.slice(-2, -1)),
    { ...oracleFiles(files.slice(-1)), ...manifestsAlone(early) },
  ]
  const questions = fc.sample(fc.record({ query: shareQuery, size: pageSize, page: pageNumber(5) }), {
    seed,
    numRuns: REQUESTS,
  })
  let lake: MadeLake
  let server: TestServer

  beforeEach(async () => {
    lake = await makeLake(oracleFiles(withoutManifests(early)))
    server = await buildTestServer(lake.folder, 100)
  })

  async function commitAll(): Promise<void> {
    for (const commit of commits) await lake.add(commit)
    await caughtUp(server, lake.folder)
  }

  it('equal requests on one snapshot return equal bytes, even after later commits and a restart', async () => {
    const snapshot = await snapshotOf(server)
    const ask = async (asked: TestServer) => {
      const answers: (readonly string[])[] = []
      for (const { query, size, page } of questions)
        answers.push(await bytesOf(asked, query, size, page, snapshot))
      return answers
    }
    const first = await ask(server)
    expect(first).toHaveLength(REQUESTS)
    expect(await ask(server)).toEqual(first)
    await commitAll()
    expect(await snapshotOf(server)).not.toBe(snapshot)
    expect(await ask(server)).toEqual(first)
    const restarted = await buildTestServer(lake.folder)
    try {
      expect(await ask(restarted)).toEqual(first)
    } finally {
      await restarted.close()
    }
  })

  it('a walk by cursors continues over commits: earlier rows and rows added behind it come once and in order', async () => {
    const begun = []
    /** Lists that had something, and more after the commits. */
    let grown = 0
    for (const { query, size, page } of questions) {
      const old = await walkPages(server, query, 100, sharesOf(withoutManifests(early), query).length)
      begun.push({ query, size, old, walked: await walkCursors(server, query, size, 'id', { most: page }) })
    }
    await commitAll()
    for (const { query, size, old, walked } of begun) {
      const now = await walkPages(server, query, 100, sharesOf(files, query).length)
      const rest = await walkCursors(server, query, size, 'id', { after: walked.after })
      const ids = [...walked.nodes, ...rest.nodes].map(({ id }) => String(id))
      const oldIds = old.map(({ id }) => id)
      expect(ids.filter((id) => oldIds.includes(id))).toEqual(oldIds)
      const nowIds = now.map(({ id }) => id)
      const reached = nowIds.indexOf(String(walked.nodes.at(-1)?.id))
      expect(rest.nodes.map(({ id }) => id)).toEqual(nowIds.slice(reached + 1))
      if (old.length > 0 && now.length > old.length) grown += 1
    }
    expect(grown).toBeGreaterThan(0)
  })
})

const withoutManifests = (files: readonly ShareFile[]) => files.map((file) => ({ ...file, manifests: [] }))

function manifestsAlone(files: readonly ShareFile[]) {
  return Object.fromEntries(Object.entries(oracleFiles(files)).filter(([name]) => name.includes('manifest')))
}

/** A page, the totals and a page by cursor, as they come over the wire. */
async function bytesOf(
  { get, server }: TestServer,
  query: ShareQuery,
  size: number,
  page: number,
  snapshot: string,
): Promise<readonly string[]> {
  const filters = { ...restParameters(query), as_of: snapshot }
  const numbers = { page: String(page), per_page: String(size) }
  const list = await get(`${listOf(query)}?${new URLSearchParams({ ...filters, ...numbers })}`)
  const totals = await get(`${listOf(query)}/totals?${new URLSearchParams(filters)}`)
  const fields = 'id rewardDetail { __typename } rewardManifest { id price }'
  const text = `{ list: ${graphqlCall(query, `first: ${size}`)} { nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`
  const url = `/graphql?as_of=${snapshot}`
  const graphql = await server.inject({ method: 'POST', url, payload: { query: text } })
  for (const { status } of [list, totals]) expect(status).toBe(200)
  expect(graphql.statusCode, graphql.body).toBe(200)
  return [list.text, totals.text, graphql.body]
}
