import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import { openServices } from '../../src/services/services.ts'
import { readSettings } from '../../src/services/settings/settings.ts'
import { deriveSeed, openRandom } from '../../src/write/sample/random.ts'
import { buildIndex } from '../support/lakes/derive-all.ts'
import { type MadeLake, makeLake } from '../support/lakes/make-lake.ts'
import { fewEnds } from '../support/network/few-files.ts'
import { oracleFiles } from '../support/network/oracle-files.ts'
import { drawFile, hotspotText } from '../support/network/shares.ts'
import { sharesOf } from '../support/properties/model.ts'
import { graphqlCall, type ShareQuery } from '../support/properties/queries.ts'
import { walkPages } from '../support/properties/walk.ts'
import { askConnection } from '../support/servers/ask-graphql.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { scaled } from '../support/tier.ts'

/** The list of one hotspot is the same from the files of the table, from the index by hotspot, and from some of each. */

const HOTSPOTS = 12
const random = openRandom(deriveSeed('hotspot lists'))
/** A file for each end of a period, which has shares of the end before it too. */
const files = fewEnds.map((_, place) =>
  drawFile(random, {
    ...{ network: 'mobile', name: `mobile_network_reward_shares_v1.${1000 + place}.gz` },
    ...{ ends: fewEnds.slice(Math.max(0, place - 1), place + 1), count: 150, hotspots: HOTSPOTS },
  }),
)

let lake: MadeLake
let snapshot: Snapshot
/** The version before the last file came. */
let earlier: Snapshot
beforeAll(async () => {
  lake = await makeLake(oracleFiles(files.slice(0, 3)))
  for (const file of files.slice(3)) {
    earlier = await new Lake(lake.folder).latest()
    await lake.add(oracleFiles([file]))
  }
  snapshot = await new Lake(lake.folder).latest()
})

const [first = 0n, second = 0n, , fourth = 0n, , last = 0n] = fewEnds.map((end) => end * 1_000_000n)

function queryOf(hotspot: number, from = first, to = last, type?: string): ShareQuery {
  return { network: 'mobile', from, to, type, hotspot: hotspotText(hotspot) }
}

describe.each([
  ['without an index', () => [], 1],
  ['with an index', () => [snapshot], 0],
  ['with an index that was built before the last file and again after it', () => [earlier, snapshot], 0],
  ['with an index that lacks the last file', () => [earlier], 1],
])('the list of one hotspot %s', (_, versions, lacking) => {
  let server: TestServer
  beforeAll(async () => {
    const state = join(lake.folder, '_state')
    await rm(state, { recursive: true, force: true })
    for (const version of versions()) await buildIndex(lake.folder, state, version)
    server = await buildTestServer(lake.folder)
    const { index, close } = await openServices(readSettings({}, { lake: lake.folder }), {
      worthwhileRows: 1,
    })
    expect(await index.load(snapshot)).toHaveLength(lacking)
    await close()
  })

  it('has every share once, in order, on pages of any size', async () => {
    let found = 0
    for (let number = 0; number <= HOTSPOTS; number += scaled(18, 1))
      for (const query of [
        queryOf(number),
        queryOf(number, second, fourth),
        queryOf(number, second + 1n, fourth - 1n),
        queryOf(number, first, last, 'radio_reward_v2'),
        queryOf(number, fourth, last, 'subscriber_reward'),
      ])
        for (const perPage of [100, 7]) found += (await walkPages(server, files, query, perPage)).length
    expect(found).toBeGreaterThan(100)
  })

  it('pages from any cursor, including a cursor of another hotspot', async () => {
    const ask = async (number: number, paging: string) => {
      const { edges, pageInfo } = await askConnection(
        server.server,
        graphqlCall(queryOf(number), paging),
        'id endPeriod rewardType',
      )
      return { ids: edges.map(({ node }) => node.id), edges, pageInfo }
    }
    const [own, other] = [await ask(3, 'first: 100'), await ask(4, 'first: 100')]
    expect(own.ids).toHaveLength(sharesOf(files, queryOf(3)).length)
    const cursor = ({ edges }: typeof own, place: number) => JSON.stringify(edges.at(place)?.cursor)
    for (const [paging, start, end] of [
      [`first: 4, after: ${cursor(own, 4)}`, 5, 9],
      [`last: 4, before: ${cursor(own, 6)}`, 2, 6],
      [`first: 100, after: ${cursor(own, -2)}`, own.ids.length - 1, own.ids.length],
    ] as const) {
      const { ids, pageInfo } = await ask(3, paging)
      expect(ids).toEqual(own.ids.slice(start, end))
      expect([pageInfo.hasPreviousPage, pageInfo.hasNextPage]).toEqual([true, end < own.ids.length])
    }
    for (const place of [0, 7, -1]) {
      const after = await ask(3, `first: 100, after: ${cursor(other, place)}`)
      const before = await ask(3, `first: 100, before: ${cursor(other, place)}`)
      expect([...before.ids, ...after.ids]).toEqual(own.ids)
      expect(before.ids.length + after.ids.length).toBeGreaterThan(5)
    }
  })
})

it('a page of one hotspot from the index has whole rows', async () => {
  const state = join(lake.folder, '_state')
  await buildIndex(lake.folder, state, snapshot)
  const { engine, index, close } = await openServices(readSettings({}, { lake: lake.folder }), {
    worthwhileRows: 1,
  })
  onTestFinished(close)
  expect(await index.load(snapshot)).toEqual([])
  const columns = Object.keys(mobileRewardShares.columns)
  for (let number = 0; number < HOTSPOTS; number += 1) {
    const value = hotspotText(number)
    const where = [{ column: 'hotspot_key', match: 'equals', value }] as const
    const limits = { limit: 1000, offset: 0 }
    const rows = await engine.rows({ resource: mobileRewardShares, where, columns, ...limits }, snapshot)
    const found = index.rows(snapshot.table(mobileRewardShares), value, {
      from: -(2n ** 63n),
      to: 2n ** 63n - 1n,
    })
    expect(rows.length).toBeGreaterThan(10)
    expect(found?.read(0, rows.length)).toEqual(rows)
  }
})
