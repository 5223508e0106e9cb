import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { resources } from '../../../src/catalog/resources.ts'
import { type Cell, writeCsvPart } from '../../support/archive/csv.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { hotspot, iotReward, makeLake, mobileReward } from '../../support/lakes/make-lake.ts'
import { hotspotRecord, writeRecords } from '../../support/messages/record-files.ts'
import { askGraphql } from '../../support/servers/ask-graphql.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { mcpOver } from '../../support/servers/mcp-client.ts'
import { runMain } from '../../support/servers/run-main.ts'

/** One wallet, as L1 and as L2 spell it: the same 32 bytes. */
const l1 = '14XmxQRNJi1aKAfhuEHrct7HoncRgc5HifL42HY5NFyViJyC8WV'
const l2 = 'F4iiNGyxbeLaxwKYXoY9ZWD5FAFmMN8p5zHVCGwGMxX5'
const other = '13GLaMr3HaKH9kHxY5WoXB61w3CgxEcvNS1vDco1ZFnQQEbmm9k'

const [first, second] = [hotspot(1).text, hotspot(2).text]
const zeros = (count: number): Cell[] => Array.from({ length: count }, () => '0')
const gateway = (address: string, owner: string, payer: string): Cell[] => [
  ...[address, owner, null, null, null, '{}', '1', '2', '0', null, null, null, '0', '12', null, null, payer],
]
const time = '1650000000'
/** Rows of the archive without headers: in each table one of the wallet, and one of another account. */
const archive: Readonly<Record<string, readonly Cell[][]>> = {
  account_inventory: [l1, other].map((address) => [address, ...zeros(11)]),
  gateway_inventory: [gateway(first, l1, other), gateway(second, other, l1)],
  rewards: [
    ['100', 'hash-a', time, l1, first, '70', 'poc_witness'],
    ['100', 'hash-a', time, other, first, '900', 'poc_witness'],
  ],
  dc_burns: [
    ['100', 'hash-b', l1, 'fee', '35000', '0', time],
    ['100', 'hash-c', other, 'fee', '35000', '0', time],
  ],
  transaction_actors: [
    [l1, 'payer', 'hash-b', '100'],
    [other, 'payer', 'hash-c', '100'],
  ],
}

let lake: string
let server: TestServer

beforeAll(async () => {
  const made = await makeLake({
    'iot/iot_reward_share.1.gz': [
      iotReward('2025-01-02', 1, { beacon_amount: 5n }),
      iotReward('2025-01-02', 2, { beacon_amount: 300n }),
    ],
    'mobile/mobile_reward_share.1.gz': [mobileReward('2025-01-02', 1, { dc_transfer_reward: 6n })],
  })
  lake = made.folder
  const hotspots = join(made.input, 'hotspots.ndjson')
  writeRecords(hotspots, [
    hotspotRecord('a', { ecc_key: first, owner: l2 }),
    hotspotRecord('b', { ecc_key: second, owner: 'somebody' }),
  ])
  const folders = Object.entries(archive).map(([name, lines]) => {
    writeCsvPart(join(made.input, name, 'data_0.csv.gz'), lines)
    return join(made.input, name)
  })
  const { failed, refusedRows } = await ingestInto(lake, [hotspots, ...folders])
  expect([failed, refusedRows]).toEqual([[], 0])
  server = await buildTestServer(lake)
})

const days = 'from=2025-01-01&to=2025-01-31'
/** Paths with the wallet, and a text that the answer about it alone has. */
const asked: readonly (readonly [path: string, has: string])[] = [
  ['/l2/hotspots?owner=WALLET', '"records":[{"id":'],
  [`/l2/iot-reward-shares/totals/series?${days}&interval=all&owner=WALLET`, '"earned":5,'],
  [`/l2/mobile-reward-shares/totals/series?${days}&interval=all&owner=WALLET`, '"earned":6,'],
  ['/l1/rewards?account_address=WALLET', '"amount":70,'],
  ['/l1/rewards?account_address=WALLET&format=csv', ',70,poc_witness'],
  ['/l1/rewards/series?interval=all&account_address=WALLET', '"earned":70,'],
  ['/l1/accounts?address=WALLET', `"address":"${l1}"`],
  ['/l1/accounts/WALLET', `"address":"${l1}"`],
  ['/l1/gateways?owner_address=WALLET', `"address":"${first}"`],
  ['/l1/gateways?payer_address=WALLET', `"address":"${second}"`],
  ['/l1/dc-burns?actor_address=WALLET', '"transaction_hash":"hash-b"'],
  ['/l1/transaction-actors?actor_address=WALLET', '"transaction_hash":"hash-b"'],
]
const about = (path: string, wallet: string) => path.replace('WALLET', wallet)

describe('the two spellings of a wallet', () => {
  it.each(asked)('find the same at %s', async (path, has) => {
    const [old, now] = [await server.get(about(path, l1)), await server.get(about(path, l2))]
    expect([old.status, old.text]).toEqual([200, expect.stringContaining(has)])
    expect(now.text).toBe(old.text)
  })

  it('are tested above for every filter of a column with wallets', () => {
    const filters = resources.flatMap(({ columns, filters = {}, rest }) =>
      Object.entries(filters).flatMap(([name, { column }]) =>
        columns[column]?.wallet === undefined ? [] : [`${rest?.path}?${name}=WALLET`],
      ),
    )
    expect(filters).toHaveLength(7)
    expect(filters.filter((path) => !asked.some(([own]) => own === path))).toEqual([])
  })

  it('are exact hits of a search for either', async () => {
    for (const wallet of [l1, l2]) {
      const { hits } = JSON.parse((await server.get(`/search?q=${wallet}`)).text)
      expect(hits).toMatchObject([
        { kind: 'owner', key: l2, is_exact: true, path: `/v1/net/l2/hotspots?owner=${l2}` },
        { kind: 'account', key: l1, is_exact: true },
      ])
    }
  })

  it('are one owner to GraphQL, and one account', async () => {
    const ask = async (wallet: string) => {
      const { text } = await askGraphql(
        server.server,
        `{ iotRewardShareSeries(from: "2025-01-01", to: "2025-01-31", interval: ALL, owner: "${wallet}") { rows { earned } }
           l1RewardSeries(interval: ALL, accountAddress: "${wallet}") { rows { earned } } }`,
      )
      return text
    }
    const text = await ask(l1)
    expect(text).toMatch(/"earned":"?5"?\D.*"earned":"?70"?\D/)
    expect(await ask(l2)).toBe(text)
  })

  it('are one account to MCP tools', async () => {
    const { call } = await mcpOver(server.server)
    const ask = async (wallet: string) => [
      await call('list', { resource: 'l1_rewards', account_address: wallet }),
      await call('lookup', { resource: 'l1_accounts', id: wallet }),
    ]
    const found = await ask(l1)
    expect(found.map(({ text }) => text).join()).toMatch(/70.*balance/s)
    expect(await ask(l2)).toEqual(found)
  })

  it('are repeated in responses as requested if no row has them', async () => {
    // The same 32 bytes, all of them 7, which no table has.
    const spellings = [
      '12zqgdLU9hpajqS5W1CWkRLoqCoUnLSt3YGNCaig6LGBbsUDXo2',
      'US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx',
    ]
    const { call } = await mcpOver(server.server)
    for (const wallet of spellings) {
      const list = `/l2/iot-reward-shares/totals/series?${days}&owner=${wallet}`
      const ledger = `/l1/rewards/series?account_address=${wallet}`
      const query = `{ hotspots(owner: "${wallet}") { nodes { id } } }`
      const replies = [
        (await server.get(list)).text,
        (await server.get(ledger)).text,
        (await server.get(`/statement?year=2025&owner=${wallet}`)).text,
        (await askGraphql(server.server, query)).text,
        (await call('list', { resource: 'hotspots', owner: wallet })).text,
        (await call('series', { resource: 'l1_rewards', account_address: wallet })).text,
      ]
      for (const text of replies) expect(spellings.filter((each) => text.includes(each))).toEqual([wallet])
    }
  })

  it('are one owner to the command line', async () => {
    for (const wallet of [l1, l2]) {
      const args = ['export', 'hotspots', '--owner', wallet, '--format', 'csv', '--out', '-', '--lake', lake]
      const { code, stdout } = await runMain(args)
      expect([code, stdout]).toEqual([0, expect.stringContaining(first)])
      expect(stdout).not.toContain(second)
    }
  })
})
