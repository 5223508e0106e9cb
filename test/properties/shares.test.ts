import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { askConnection } from '../support/ask-graphql.ts'
import { buildTestServer, type TestServer } from '../support/build-test-server.ts'
import { ofArrays } from '../support/engines.ts'
import { readExact } from '../support/exact-json.ts'
import { secondsText } from '../support/instants.ts'
import { type MadeLake, makeLake } from '../support/make-lake.ts'
import { drawFewFiles } from '../support/network/few-files.ts'
import { oracleFiles } from '../support/network/oracle-files.ts'
import type { Share, ShareFile } from '../support/network/shares.ts'
import { openAnswers } from '../support/properties/answers.ts'
import { type Members, metaOf, recordOf, sumsOf } from '../support/properties/model.ts'
import {
  connectionBounds,
  graphqlCall,
  listOf,
  pageNumber,
  pageSize,
  restParameters,
  type ShareQuery,
  shareQuery,
} from '../support/properties/queries.ts'
import { REQUESTS, seeds } from '../support/properties/runs.ts'
import { askPage, walkCursors, walkPages } from '../support/properties/walk.ts'

describe.each(seeds)('reward shares drawn from seed %i', (seed) => {
  const files = drawFewFiles(seed)
  /** Other questions for each property. */
  const settings = (property: number) => ({ seed: seed + property * 1_000_000, numRuns: REQUESTS })
  const answers = openAnswers(files)
  let lake: MadeLake
  let server: TestServer
  /** The same server over arrays of rows. */
  let memory: TestServer

  beforeAll(async () => {
    const [first = [], rest = []] = inTwo(files)
    lake = await makeLake(oracleFiles(first))
    await lake.add(oracleFiles(rest))
    server = await buildTestServer(lake.folder)
    memory = await buildTestServer(lake.folder, 60_000, ofArrays)
  })

  it('pages of any size form the list that was filtered and sorted by hand', async () => {
    await fc.assert(
      fc.asyncProperty(shareQuery, pageSize, async (query, perPage) => {
        const expected = answers.of(query)
        const records = await walkPages(server, query, perPage, expected.length)
        const shown = records.map(({ id: _, reward_manifest: __, ...own }) => own)
        expect(shown).toEqual(expected.map((share) => recordOf(files, share)))
        expect(new Set(records.map(({ id }) => id)).size).toBe(records.length)
      }),
      settings(0),
    )
  })

  it('any page, even past the end, is its part of the list', async () => {
    await fc.assert(
      fc.asyncProperty(shareQuery, pageSize, pageNumber(40), async (query, perPage, page) => {
        const expected = answers.of(query)
        const { meta, records } = await askPage(server, query, page, perPage)
        expect(meta).toEqual(metaOf(expected.length, page, perPage))
        const shown = records.map(({ id: _, reward_manifest: __, ...own }) => own)
        const own = expected.slice((page - 1) * perPage, page * perPage)
        expect(shown).toEqual(own.map((share) => recordOf(files, share)))
      }),
      settings(1),
    )
  })

  it('totals are the exact sums over all pages', async () => {
    await fc.assert(
      fc.asyncProperty(shareQuery, async (query) => {
        const expected = answers.of(query).map((share) => recordOf(files, share).reward_detail as Members)
        const records = await walkPages(server, query, 100, expected.length)
        const { status, text } = await server.get(totalsOf(query))
        expect(status).toBe(200)
        const details = records.map((record) => record.reward_detail)
        expect(readExact(text)).toEqual(sumsOf(query.network, details))
        expect(readExact(text)).toEqual(sumsOf(query.network, expected))
      }),
      settings(2),
    )
  })

  it('GraphQL has the rows of REST, in the same order and with the same ids', async () => {
    await fc.assert(
      fc.asyncProperty(shareQuery, pageSize, async (query, first) => {
        const expected = answers.of(query)
        const records = await walkPages(server, query, 100, expected.length)
        const { nodes } = await walkCursors(server, query, first, nodeFields(query))
        expect(nodes).toEqual(expected.map((share, index) => nodeOf(share, String(records[index]?.id))))
      }),
      settings(3),
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
      settings(4),
    )
  })

  it('the memory engine returns the same bytes over REST and GraphQL', async () => {
    await fc.assert(
      fc.asyncProperty(shareQuery, pageSize, pageNumber(9), async (query, size, page) => {
        const numbers = { page: String(page), per_page: String(size) }
        const list = `${listOf(query)}?${new URLSearchParams({ ...restParameters(query), ...numbers })}`
        answers.of(query)
        for (const path of [list, totalsOf(query)]) {
          expect((await memory.get(path)).text).toBe((await server.get(path)).text)
        }
        const fields = nodeFields(query)
        const [own, other] = [
          await walkCursors(server, query, size, fields, { most: page }),
          await walkCursors(memory, query, size, fields, { most: page }),
        ]
        expect(other).toEqual(own)
      }),
      settings(5),
    )
  })

  it('each property above was tested with each filter and without, on lists with shares and on empty ones', () => {
    answers.expectEach(1)
  })
})

const totalsOf = (query: ShareQuery) =>
  `${listOf(query)}/totals?${new URLSearchParams(restParameters(query))}`

/** Two commits, so that rows of one period lie in several files of the lake. */
function inTwo(files: readonly ShareFile[]): readonly (readonly ShareFile[])[] {
  const half = Math.ceil(files.length / 2)
  return [files.slice(0, half), files.slice(half)]
}

const amountsOf = {
  iot: ['beacon_amount', 'witness_amount', 'dc_transfer_amount', 'amount'],
  mobile: [
    ...['amount', 'dc_transfer_reward', 'poc_reward', 'subscriber_reward', 'discovery_location_amount'],
    ...['base_poc_reward', 'boosted_poc_reward', 'service_provider_amount', 'matched_amount'],
  ],
} as const

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const nodeFields = ({ network }: ShareQuery) =>
  `id rewardType startPeriod endPeriod hotspotKey unallocatedRewardType ${amountsOf[network].map(camelCase).join(' ')}`

function nodeOf(share: Share, id: string) {
  const { network, type, start, end, hotspot, amounts, texts } = share
  const values = amountsOf[network].map((name) => [camelCase(name), amounts[name]?.toString() ?? null])
  return {
    ...{
      id,
      rewardType: type,
      startPeriod: secondsText(start),
      endPeriod: secondsText(end),
      hotspotKey: hotspot,
    },
    unallocatedRewardType: texts.unallocated_reward_type ?? null,
    ...Object.fromEntries(values),
  }
}
