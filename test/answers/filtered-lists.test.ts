import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { l1Rewards } from '../../src/catalog/l1/rewards.ts'
import { readExact } from '../support/exact-json.ts'
import { deriveBlocks } from '../support/lakes/derive-all.ts'
import { storeMadeUp } from '../support/lakes/store-made-up.ts'
import { inListOrder, matching, membersOf } from '../support/network/reward-list.ts'
import { drawManyRewards, type Reward } from '../support/network/rewards.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

interface RewardPage {
  readonly meta: Readonly<Record<string, unknown>>
  readonly objects: readonly Readonly<Record<string, unknown>>[]
}

const parts = drawManyRewards()
const everything = inListOrder(parts)
const one = everything[50_000] as Reward

/** Values that many rows have, that few have, and that nobody has. */
const values: Readonly<Record<string, readonly string[]>> = {
  account_address: ['1largest', String(one.account_address), '1single', '1nobody', 'constructor'],
  gateway_address: [
    String(everything.find((row) => row.gateway_address !== null)?.gateway_address),
    '11nobody',
  ],
  transaction_hash: [String(one.transaction_hash), 'Zlast', 'nothing'],
  type: ['poc_witness', 'securities_reward', 'rare_reward'],
  block: ['1999', String(one.block), '9007199254740993', '0'],
  from: ['2022-01-20T00:00:00Z', '9999-12-31T23:59:59Z', '1970-01-01'],
  to: ['2022-01-15T12:00:00Z', '9999-12-31T23:59:59Z', '1970-01-01T00:00:01Z'],
}

type Case = Readonly<Record<string, string>>

/** Each filter alone and pairs, each with every value. In the slow tier the three ways share all pairs, a third for each. */
function cases(...ways: readonly (0 | 1 | 2)[]): readonly Case[] {
  const single = Object.entries(values).flatMap(([name, own]) =>
    own.map((value): Case => ({ [name]: value })),
  )
  const pairs = single.flatMap((first, index) =>
    single.slice(index + 1).flatMap((second): readonly Case[] => {
      const both = { ...first, ...second }
      const isRange = both.from === undefined || both.to === undefined || both.from < both.to
      return Object.keys(both).length === 2 && isRange ? [both] : []
    }),
  )
  return [
    {},
    ...single,
    ...pairs.filter((_, place) => ways.some((way) => (place + way) % scaled(97, 3) === 0)),
  ]
}

let lake = ''
let test: TestServer

beforeAll(async () => {
  const folder = await temporaryFolder()
  lake = join(folder, 'lake')
  const { 'data_xac.csv.gz': across = [], ...others } = parts
  await storeMadeUp(lake, l1Rewards, others)
  await storeMadeUp(lake, l1Rewards, { 'data_xac.csv.gz': across })
})

async function page(filters: Case, number: number, perPage: number): Promise<RewardPage> {
  const query = new URLSearchParams({ ...filters, page: String(number), per_page: String(perPage) })
  const { status, text } = await test.get(`/l1/rewards?${query}`)
  expect(status, text).toBe(200)
  return readExact<RewardPage>(text)
}

/** How many rewards match. */
async function compare(filters: Case): Promise<number> {
  const expected = matching(everything, filters)
  const pages = Math.max(1, Math.ceil(expected.length / 50))
  for (const number of new Set([...scaled([], [1, 2]), Math.ceil(pages / 2), pages])) {
    const { meta, objects } = await page(filters, number, 50)
    expect(meta.total_pages, JSON.stringify(filters)).toBe(BigInt(pages))
    const own = expected.slice((number - 1) * 50, number * 50)
    expect(
      objects.map(({ id: _, ...members }) => members),
      JSON.stringify(filters),
    ).toEqual(own.map(membersOf))
  }
  return expected.length
}

it('lists answer filters alone and in pairs like a plain reduction without indexes', async () => {
  test = await buildTestServer(lake)
  let found = 0
  const own = cases(0)
  for (const filters of own) if ((await compare(filters)) > 0) found += 1
  expect([found > own.length / 3, found < own.length]).toEqual([true, true])
})

describe('with row indexes', () => {
  beforeAll(async () => {
    await test?.close()
    await deriveBlocks(lake)
    test = await buildTestServer(lake)
  })

  it('lists answer filters alone and in pairs like a plain reduction', async () => {
    for (const filters of cases(1, 2)) await compare(filters)
  })

  it.each([
    ['of everything', {}],
    ['of one account', { account_address: '1single' }],
    ['of one account and type', { account_address: '1largest', type: 'poc_witness', page: '4' }],
    ['of one transaction', { transaction_hash: String(one.transaction_hash) }],
    ['of a transaction that nobody knows', { transaction_hash: 'zz' }],
    ['of one block', { block: String(one.block) }],
    ['of a frequent type', { type: 'poc_witness', page: '3' }],
    ['past the end', { account_address: '1single', page: '2' }],
  ])('a page %s runs no statement', async (_, query) => {
    const before = test.engine.work()
    const { status, headers } = await test.get(`/l1/rewards?${new URLSearchParams(query)}`)
    expect([status, headers['server-timing']]).toEqual([200, expect.stringMatching(/desc="index"$/)])
    expect(test.engine.work()).toEqual(before)
  })
})
