import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { type MadeLake, makeLake } from '../support/lakes/make-lake.ts'
import { drawFewFiles } from '../support/network/few-files.ts'
import { oracleFiles } from '../support/network/oracle-files.ts'
import type { ShareFile } from '../support/network/shares.ts'
import { graphqlCall, pathOf, type ShareRequest, shareRequest } from '../support/properties/queries.ts'
import { REQUESTS, seeds } from '../support/properties/runs.ts'
import { walkCursors, walkPages } from '../support/properties/walk.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { waitUntil } from '../support/wait.ts'

describe.each(seeds)('commits drawn from seed %i', (seed) => {
  const files = drawFewFiles(seed)
  const early = files.slice(0, -2)
  /** Every further commit: shares of other files, and manifests that come later than their shares. */
  const commits = [
    oracleFiles(files.slice(-2, -1)),
    { ...oracleFiles(files.slice(-1)), ...manifestsAlone(early) },
  ]
  const requests = fc.sample(shareRequest, { seed, numRuns: REQUESTS })
  let lake: MadeLake
  let server: TestServer

  beforeEach(async () => {
    lake = await makeLake(oracleFiles(withoutManifests(early)))
    server = await buildTestServer(lake.folder, 100)
  })

  async function commitAll(): Promise<void> {
    for (const commit of commits) await lake.add(commit)
    const { id } = await new Lake(lake.folder).latest()
    await waitUntil(async () => (await snapshotOf(server)) === id)
  }

  it('equal requests on one snapshot return equal bytes, even after later commits and a restart', async () => {
    const snapshot = await snapshotOf(server)
    const ask = async (asked: TestServer) => {
      const answers: (readonly string[])[] = []
      for (const request of requests) answers.push(await bytesOf(asked, request, snapshot))
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
    for (const { query, perPage, page } of requests) {
      const old = await walkPages(server, withoutManifests(early), query, 100)
      const walked = await walkCursors(server, query, perPage, 'id', { most: page })
      begun.push({ query, perPage, old, walked })
    }
    await commitAll()
    for (const { query, perPage, old, walked } of begun) {
      const now = await walkPages(server, files, query, 100)
      const rest = await walkCursors(server, query, perPage, 'id', { after: walked.after })
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

async function snapshotOf({ server }: TestServer): Promise<string> {
  const reply = await server.inject('/readyz')
  return (JSON.parse(reply.body) as { snapshot: string }).snapshot
}

/** A page, the totals and a page by cursor, as they come over the wire. */
async function bytesOf(
  { get, server }: TestServer,
  request: ShareRequest,
  snapshot: string,
): Promise<readonly string[]> {
  const list = await get(pathOf({ ...request, verb: 'list' }, { as_of: snapshot }))
  const totals = await get(pathOf({ ...request, verb: 'totals' }, { as_of: snapshot }))
  const fields = 'id rewardDetail { __typename } rewardManifest { id price }'
  const call = graphqlCall(request.query, `first: ${request.perPage}`)
  const text = `{ list: ${call} { nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`
  const url = `/graphql?as_of=${snapshot}`
  const graphql = await server.inject({ method: 'POST', url, payload: { query: text } })
  for (const { status } of [list, totals]) expect(status).toBe(200)
  expect(graphql.statusCode, graphql.body).toBe(200)
  return [list.text, totals.text, graphql.body]
}
