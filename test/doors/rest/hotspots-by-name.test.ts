import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Cell, writeCsvPart } from '../../support/archive/csv.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { hotspot, iotReward, makeLake } from '../../support/lakes/make-lake.ts'
import { hotspotRecord, writeRecords } from '../../support/messages/record-files.ts'
import { askGraphql } from '../../support/servers/ask-graphql.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { mcpOver } from '../../support/servers/mcp-client.ts'

const [bee, other, twin, gateway] = [1, 2, 3, 4].map((one) => hotspot(one).text)
const path = '/l2/iot-reward-shares/totals/series'
const days = 'from=2025-01-01&to=2025-01-31'
const all = `/v1/net${path}?${days}&interval=all&group_by=hotspot`

let folder: string
let test: TestServer

beforeAll(async () => {
  const made = await makeLake({
    'iot/iot_reward_share.1.gz': [
      iotReward('2025-01-02', 1, { beacon_amount: 5n }),
      iotReward('2025-01-02', 2, { beacon_amount: 7n }),
    ],
  })
  folder = made.folder
  const hotspots = join(made.input, 'hotspots.ndjson')
  writeRecords(hotspots, [
    hotspotRecord('a', { ecc_key: bee, name: 'Furry Linen Bee' }),
    hotspotRecord('b', { ecc_key: other, name: 'twice-told-tale' }),
    hotspotRecord('c', { ecc_key: twin, name: 'Twice Told Tale' }),
  ])
  const inventory = join(made.input, 'gateway_inventory')
  const line: Cell[] = [`${gateway}`, 'account-g', null, null, null, '{}', '1', '2', '0', 'old-red-gate']
  writeCsvPart(join(inventory, 'data_0.csv.gz'), [[...line, null, null, '0', '12', null, 'full', null]])
  const { failed, refusedRows } = await ingestInto(folder, [hotspots, inventory])
  expect([failed, refusedRows]).toEqual([[], 0])
  test = await buildTestServer(folder)
})

const ask = (keys: string) => test.server.inject(`${all}&hotspot_key=${encodeURIComponent(keys)}`)
const post = (keys: readonly string[]) =>
  test.server.inject({ method: 'POST', url: all, payload: { hotspot_keys: keys } })

/** What each hotspot of a series earned. */
const earned = (records: readonly Record<string, unknown>[]) =>
  Object.fromEntries(records.map(({ group, earned }) => [group, earned]))

describe('a series', () => {
  it.each(['furry-linen-bee', 'Furry Linen Bee', 'FURRY linen_bee'])(
    'of the hotspot named %s has its rewards, and its key in meta.names',
    async (name) => {
      for (const reply of [await ask(name), await post([name])]) {
        const { meta, records } = reply.json()
        expect([meta.names, meta.unknown, earned(records)]).toEqual([
          { [name]: bee },
          null,
          { [`${bee}`]: 5 },
        ])
      }
    },
  )

  it('counts a hotspot once if both its name and its key are given', async () => {
    const { meta, records } = (await post([`${bee}`, `${other}`, 'furry linen bee'])).json()
    expect([meta.hotspots, earned(records)]).toEqual([2, { [`${bee}`]: 5, [`${other}`]: 7 }])
  })

  it('lists an unknown name in meta.unknown, but not the name of an L1 gateway', async () => {
    const { meta } = (await ask('no such bee,Old Red Gate,furry-linen-bee')).json()
    expect([meta.unknown, meta.names]).toEqual([
      { hotspot_key: ['no such bee'] },
      { 'Old Red Gate': gateway, 'furry-linen-bee': bee },
    ])
  })

  it('of a name that several hotspots have is refused with their keys', async () => {
    const keys = [other, twin].sort().join(', ')
    for (const reply of [await ask('twice told tale'), await post(['twice told tale', `${bee}`])]) {
      const { errors } = reply.json()
      const sentence = `hotspot_key "twice told tale" is the name of 2 hotspots; use the key of one: ${keys}`
      expect([reply.statusCode, errors[0].message, errors[0].param]).toEqual([422, sentence, 'hotspot_key'])
    }
  })

  it('of many ambiguous names returns 422 with the first ten of them and the number of the rest', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `twice${' '.repeat(at + 1)}told tale`)
    const { errors } = (await post(names)).json()
    expect(errors).toHaveLength(11)
    expect(errors[10].message).toBe('hotspot_key and 20 more are names of several hotspots')
  })

  it('takes keys in a body with blanks around them', async () => {
    const { meta, records } = (await post([` ${bee} `, `${other}\n`])).json()
    expect([meta.unknown, earned(records)]).toEqual([null, { [`${bee}`]: 5, [`${other}`]: 7 }])
  })

  it('of keys alone looks up no name', async () => {
    const before = test.engine.work().statements
    await ask(`${bee}`)
    const ofKey = test.engine.work().statements - before
    await ask('furry-linen-bee')
    expect(test.engine.work().statements - before - ofKey).toBe(ofKey + 1)
  })

  it('has another tag once the name belongs to a hotspot', async () => {
    const lake = await makeLake({ 'iot/iot_reward_share.1.gz': [iotReward('2025-01-02', 1, {})] })
    const file = join(lake.input, 'hotspots.ndjson')
    const url = `${all}&hotspot_key=new-born-bee`
    const { etag } = (await (await buildTestServer(lake.folder)).server.inject(url)).headers
    writeRecords(file, [hotspotRecord('a', { ecc_key: bee, name: 'New Born Bee' })])
    await ingestInto(lake.folder, [file])
    const { server } = await buildTestServer(lake.folder)
    const { statusCode } = await server.inject({ url, headers: { 'if-none-match': `${etag}` } })
    expect([typeof etag, statusCode]).toEqual(['string', 200])
  })
})

it('GraphQL takes names among hotspotKeys, and refuses one of several hotspots', async () => {
  const query = (name: string) =>
    `{ iotRewardShareSeries(from: "2025-01-01", to: "2025-01-31", hotspotKeys: ["${name}"]) { rows { earned } } }`
  const { text } = await askGraphql(test.server, query('furry-linen-bee'))
  expect(JSON.parse(text).data.iotRewardShareSeries.rows).toEqual([{ earned: '5' }])
  const refused = JSON.parse((await askGraphql(test.server, query('twice-told-tale'))).text)
  expect(refused.errors[0].message).toMatch(/^hotspotKeys "twice-told-tale" is the name of 2 hotspots; /)
})

it('MCP accepts names instead of keys', async () => {
  const { call } = await mcpOver(test.server)
  const given = { resource: 'iot_reward_shares', from: '2025-01-01', to: '2025-01-31', interval: 'all' }
  const { answer } = JSON.parse((await call('series', { ...given, hotspot_key: 'Furry Linen Bee' })).text)
  expect([answer.meta.names, answer.records[0].earned]).toEqual([{ 'Furry Linen Bee': bee }, '5'])
})

it('a key without the feature of the first ledger finds no gateway of it by name', async () => {
  const { ask: askWith, newKey } = await gatedServer(folder)
  const some = await newKey({ features: ['OracleData', 'Aggregates'] })
  const { status, text } = await askWith(`${all}&hotspot_key=old-red-gate`, some)
  expect([status, JSON.parse(text).meta.unknown]).toEqual([200, { hotspot_key: ['old-red-gate'] }])
})
