import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ofArrays } from '../support/engines.ts'
import { readExact } from '../support/exact-json.ts'
import { secondsText } from '../support/instants.ts'
import { type MadeLake, makeLake } from '../support/lakes/make-lake.ts'
import { drawFewFiles } from '../support/network/few-files.ts'
import { oracleFiles } from '../support/network/oracle-files.ts'
import { amountsOf } from '../support/network/reward-types.ts'
import type { Share } from '../support/network/shares.ts'
import { openAnswers } from '../support/properties/answers.ts'
import { answerTo, plainReply, sumsOf } from '../support/properties/model.ts'
import {
  connectionBounds,
  graphqlCall,
  pageSize,
  pathOf,
  type ShareQuery,
  shareQuery,
  shareRequest,
} from '../support/properties/queries.ts'
import { REQUESTS, seeds } from '../support/properties/runs.ts'
import { walkCursors, walkPages } from '../support/properties/walk.ts'
import { askConnection } from '../support/servers/ask-graphql.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'

describe.each(seeds)('reward shares drawn from seed %i', (seed) => {
  const files = drawFewFiles(seed)
  /** Other questions for each property. */
  const settings = (property: number) => ({ seed: seed + property * 1_000_000, numRuns: 2 * REQUESTS })
  const answers = openAnswers(files)
  let lake: MadeLake
  let server: TestServer
  /** The same server over arrays of rows. */
  let memory: TestServer

  beforeAll(async () => {
    // Two commits, so that rows of one period lie in several files of the lake.
    const half = Math.ceil(files.length / 2)
    lake = await makeLake(oracleFiles(files.slice(0, half)))
    await lake.add(oracleFiles(files.slice(half)))
    server = await buildTestServer(lake.folder)
    memory = await buildTestServer(lake.folder, 60_000, ofArrays)
  })

  it('pages of any size form the list that was filtered and sorted by hand, and totals are the exact sums over all pages', async () => {
    await fc.assert(
      fc.asyncProperty(shareQuery, pageSize, async (query, perPage) => {
        answers.of(query)
        const records = await walkPages(server, files, query, perPage)
        const { text } = await server.get(pathOf({ verb: 'totals', query, page: 1, perPage }))
        const details = records.map((record) => record.reward_detail)
        expect(readExact(text)).toEqual(sumsOf(query.network, details))
      }),
      settings(0),
    )
  })

  it('pages, even past the end, and totals equal a plain computation, and the memory engine returns the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(shareRequest, async (request) => {
        answers.of(request.query)
        const { status, text } = await server.get(pathOf(request))
        expect(status, text).toBe(200)
        expect(plainReply(text)).toEqual(answerTo(files, request))
        expect((await memory.get(pathOf(request))).text).toBe(text)
      }),
      settings(1),
    )
  })

  it('GraphQL has the rows of REST, in the same order and with the same ids, as the memory engine has them', async () => {
    await fc.assert(
      fc.asyncProperty(shareQuery, pageSize, async (query, first) => {
        const shares = answers.of(query)
        const records = await walkPages(server, files, query, 100)
        const walked = await walkCursors(server, query, first, nodeFields(query))
        expect(walked.nodes).toEqual(shares.map((share, index) => nodeOf(share, records[index]?.id ?? '')))
        expect(await walkCursors(memory, query, first, nodeFields(query))).toEqual(walked)
      }),
      settings(2),
    )
  })

  it('GraphQL returns the rows between two cursors, from either end', async () => {
    await fc.assert(
      fc.asyncProperty(shareQuery, connectionBounds, async (query, { first, last, after, before }) => {
        const all = await walkCursors(server, query, 100, 'id')
        const ids = all.nodes.map(({ id }) => id)
        expect(ids).toHaveLength(answers.of(query).length)
        const { edges } = await askConnection(server.server, graphqlCall(query, 'first: 100'), 'id')
        const cursorAt = (place: number | undefined) => edges[place ?? edges.length]?.cursor
        const [low, high] = [cursorAt(after), cursorAt(before)]
        const given = { first, last, after: low, before: high }
        const paging = Object.entries(given).flatMap(([name, value]) =>
          value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`],
        )
        const { nodes } = await askConnection(server.server, graphqlCall(query, paging.join(', ')), 'id')
        const start = low === undefined ? 0 : Number(after) + 1
        const end = Math.max(start, high === undefined ? ids.length : Number(before))
        const most = first === undefined && last === undefined ? 100 : (first ?? end - start)
        const fromStart = ids.slice(start, Math.min(end, start + most))
        const expected =
          last === undefined ? fromStart : fromStart.slice(Math.max(0, fromStart.length - last))
        expect(nodes.map(({ id }) => id)).toEqual(expected)
      }),
      settings(3),
    )
  })

  it('each property above was tested with each filter and without, on lists with shares and on empty ones', () => {
    answers.expectEach(1)
  })
})

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const nodeFields = ({ network }: ShareQuery) =>
  `id rewardType startPeriod endPeriod hotspotKey unallocatedRewardType ${amountsOf(network).map(camelCase).join(' ')}`

function nodeOf({ network, type, start, end, hotspot, amounts, texts }: Share, id: string) {
  const values = amountsOf(network).map((name) => [camelCase(name), amounts[name]?.toString() ?? null])
  return {
    ...{ id, rewardType: type, startPeriod: secondsText(start), endPeriod: secondsText(end) },
    ...{ hotspotKey: hotspot, unallocatedRewardType: texts.unallocated_reward_type ?? null },
    ...Object.fromEntries(values),
  }
}
