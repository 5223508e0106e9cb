import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readExact } from '../../src/explorer/values/exact-json.ts'
import { normalizedName, readList } from '../../src/explorer/values/hotspot-list.ts'
import {
  isAllUnknown,
  listTexts,
  noHitText,
  type UnknownMember,
  unknownIn,
  unknownTexts,
} from '../../src/explorer/values/unknown.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { hotspot, iotReward, makeLake, mobileReward } from '../support/lakes/make-lake.ts'
import { hotspotRecord, writeRecords } from '../support/messages/record-files.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'

const [paid, mobile, twin, nobody] = [1, 2, 3, 4].map((one) => hotspot(one).text) as [
  ...[string, string, string, string],
]

describe('readList', () => {
  it.each([
    [
      'furry linen bee\nFurry-Linen-Bee, brave blue heron;x',
      ['furry linen bee', 'Furry-Linen-Bee', 'brave blue heron', 'x'],
    ],
    [` ${paid} ${mobile}\t${paid} `, [paid, mobile]],
    [`${paid}\tfurry  linen bee\r\nAble`, [paid, 'furry linen bee', 'Able']],
    ['\n , ;\t', []],
  ])('reads %j as keys and names', (text, entries) => {
    expect(readList(text)).toEqual(entries)
  })

  it('reads its own result, joined by commas, as the same list', () => {
    const entries = readList(`furry linen bee\n${paid} x-y z`)
    expect(readList(entries.join(','))).toEqual(entries)
  })
})

describe('a sentence', () => {
  it('lists unknown names and keys in the order of the list, and counts the others', () => {
    const entries = ['Able', paid, nobody, 'fury linen bee', 'c', 'd', 'e', 'f']
    expect(listTexts(entries, ['fury linen bee', nobody, 'Able'])).toEqual([
      `No hotspot has the key or name “Able”, “${nobody}” or “fury linen bee”. 5 of 8 found.`,
    ])
    expect(listTexts(['Able'], ['Able'])).toEqual([
      'No hotspot has the key or name “Able”. 0 of 1 found. Names work too, one a line.',
    ])
    expect(listTexts([paid], [])).toEqual([])
  })

  it('of a long list names the first 20 unknown ones', () => {
    const missing = Array.from({ length: 50 }, (_, place) => `n${place}`)
    const [text] = listTexts(missing, missing)
    expect(text).toMatch(
      /^No hotspot has the key or name “n0”, “n1”, .*, “n19” or 30 more of the list\. 0 of 50 /,
    )
  })

  it('states that the server cannot look up keys if the response says so', () => {
    const sentence = 'The server cannot look up keys now. If nothing was earned, check the spelling.'
    expect(listTexts([paid], null)).toEqual([sentence])
    expect(unknownTexts(null, 'Unknown.')).toEqual([sentence])
    expect([unknownTexts([], 'Unknown.'), unknownTexts([nobody], 'Unknown.')]).toEqual([[], ['Unknown.']])
  })

  it('on a search without a hit names what to type', () => {
    expect(noHitText('bee')).toBe('No name has the words “bee”. Try one word of the name, or paste the key.')
    expect(noHitText(paid)).toBe(
      `No key, address or hash begins with “${paid}”. Upper and lower case matter.`,
    )
  })
})

it.each([
  [[{ key: ['a', 'b'] }, { key: ['b'] }], ['b']],
  [[{ key: ['a'] }, null], []],
  [[{ key: null }, { key: ['a'] }], ['a']],
  [[{ key: null }, { key: null }], null],
  [[{ other: ['a'] }, null], []],
])(
  'unknownIn returns from %j the keys that all responses with a lookup report as unknown',
  (members, unknown) => {
    expect(unknownIn(members, 'key')).toEqual(unknown)
  },
)

it('plainName returns one text for all spellings of a name', () => {
  expect(new Set([' Furry-Linen-Bee', 'furry linen  bee', 'FURRY_LINEN_BEE'].map(normalizedName)).size).toBe(
    1,
  )
})

describe('over a server', () => {
  let test: TestServer
  async function ask<T>(path: string, given: Readonly<Record<string, string>>) {
    const address = `/v1/net${path}?${new URLSearchParams(given)}`
    const { body, statusCode } = await test.server.inject(address)
    expect(statusCode).toBe(200)
    return { value: readExact(body) as T }
  }

  beforeAll(async () => {
    const made = await makeLake({
      'iot/iot_reward_share.1.gz': [iotReward('2025-01-02', 1, { beacon_amount: 5n })],
      'mobile/mobile_reward_share.1.gz': [mobileReward('2025-01-02', 2, { dc_transfer_reward: 6n })],
    })
    const file = join(made.input, 'hotspots.ndjson')
    writeRecords(file, [
      hotspotRecord('a', { ecc_key: paid, owner: 'owner-a', name: 'Furry Linen Bee' }),
      hotspotRecord('b', { ecc_key: mobile, owner: 'owner-b', name: 'Brave Blue Heron' }),
      hotspotRecord('c', { ecc_key: twin, owner: 'owner-b', name: 'Old Red Gate' }),
    ])
    expect((await ingestInto(made.folder, [file])).failed).toEqual([])
    test = await buildTestServer(made.folder)
  })

  const days = { from: '2025-01-01', to: '2025-01-31', interval: 'all' }
  const none: Readonly<Record<string, string>> = {}

  it.each([
    [{ hotspot_key: nobody }, [nobody], true],
    [{ hotspot_key: `${paid},${nobody},Able` }, [nobody, 'Able'], false],
    [{ hotspot_key: 'furry-linen-bee,no such bee' }, ['no such bee'], false],
    [{ hotspot_key: 'no-such-bee' }, ['no-such-bee'], true],
    [{ hotspot_key: paid }, [], false],
    [{ hotspot_key: twin }, [], false],
    [{ owner: 'owner-z' }, ['owner-z'], true],
    [{ owner: 'owner-b' }, [], false],
    [none, [], false],
  ])(
    'the series of %j list its unknown keys, and a key is known if either network pays it',
    async (whose, unknown, isAll) => {
      const [[param, values] = ['', '']] = Object.entries<string>({ ...whose })
      const members = await Promise.all(
        ['iot', 'mobile'].map(async (network) => {
          const path = `/l2/${network}-reward-shares/totals/series`
          return (await ask<{ meta: { unknown: UnknownMember } }>(path, { ...whose, ...days })).value.meta
            .unknown
        }),
      )
      const all = unknownIn(members, param)
      expect([all, isAllUnknown(all, values)]).toEqual([unknown, isAll])
    },
  )
})
