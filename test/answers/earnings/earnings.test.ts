import { beforeAll, describe, expect, it } from 'vitest'
import {
  bee,
  evil,
  header,
  makeEarningLake,
  nameless,
  ownerLines,
} from '../../support/earnings/earning-lake.ts'
import type { MadeLake } from '../../support/lakes/make-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'

let lake: MadeLake
let server: TestServer

beforeAll(async () => {
  lake = await makeEarningLake()
  server = await buildTestServer(lake.folder)
})

const days = 'first_day=2025-02-13&last_day=2025-02-16'
const file = (...lines: readonly string[]) => `${[header, ...lines].join('\n')}\n`
const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const linesOf = (key: string) => ownerLines.filter((line) => line.includes(key))

describe('the earnings of an owner', () => {
  it('have a row for each day and hotspot, and tell nothing earned from missing data', async () => {
    const { status, text, headers } = await server.get(`/earnings?owner=owner-a&${days}`)
    expect([status, text]).toEqual([200, file(...ownerLines)])
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="owner-owner-a_2025-02-13_2025-02-16.csv"',
      'ledgerlake-rows': '12',
      // The 14th of IoT, and the 14th to the 16th of Mobile; the 15th of IoT has no manifest.
      'ledgerlake-missing': 'days=4, manifests=1',
    })
    expect(headers['ledgerlake-unknown']).toBeUndefined()
  })

  it('protect spreadsheets from formulas, and are NDJSON', async () => {
    const { text } = await server.get(`/earnings?owner=owner-a&${days}&format=spreadsheet`)
    expect(text.split('\n')[1]).toBe(ownerLines[0]?.replace(',=Evil', ",'=Evil"))
    const ndjson = await server.get(`/earnings?owner=owner-a&${days}&format=ndjson`)
    expect(ndjson.text.split('\n')[1]).toBe(
      `{"date":"2025-02-13","hotspot_name":"Furry Linen Bee","hotspot_key":"${bee.text}","network":"IoT","token":"HNT","amount":"0.000002","price_usd":"4.0","usd":"0.000008","state":"paid"}`,
    )
  })

  it('have an ETag, are not sent again, and answer HEAD without a body', async () => {
    const url = `/v1/net/earnings?owner=owner-a&${days}`
    const { headers } = await server.get(`/earnings?owner=owner-a&${days}`)
    const again = await server.server.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const head = await server.server.inject({ url, method: 'HEAD' })
    expect([head.statusCode, head.body, head.headers['ledgerlake-rows'], head.headers.etag]).toEqual([
      ...[200, '', '12'],
      headers.etag,
    ])
    const other = await server.get(`/earnings?owner=owner-a&${days}&tz=Europe/Berlin`)
    expect(other.headers.etag).not.toBe(headers.etag)
  })
})

describe('the earnings of hotspots', () => {
  it('are those of a name, in a file that has it', async () => {
    const { text, headers } = await server.get(`/earnings?hotspot_key=furry-linen-bee&${days}`)
    expect(text).toBe(file(...linesOf(bee.text)))
    expect(headers['content-disposition']).toBe(
      'attachment; filename="Furry-Linen-Bee_2025-02-13_2025-02-16.csv"',
    )
  })

  it('are those of a key without a record in the networks that paid it, and say which keys are unknown', async () => {
    const { text, headers } = await server.get(
      `/earnings?hotspot_key=${nameless.text},nobody&first_day=2025-02-16&last_day=2025-02-16`,
    )
    expect(text).toBe(
      file(',,nobody,,,,,,unknown hotspot', `2025-02-16,,${nameless.text},IoT,HNT,0.00000001,,,paid`),
    )
    expect(headers).toMatchObject({
      'content-disposition': 'attachment; filename="2-hotspots_2025-02-16_2025-02-16.csv"',
      'ledgerlake-unknown': 'hotspot_key=1',
      'ledgerlake-rows': '2',
    })
  })

  it('are those of days of a time zone', async () => {
    const { text } = await server.get(
      `/earnings?hotspot_key=${bee.text}&first_day=2025-02-14&last_day=2025-02-14&tz=Pacific/Auckland`,
    )
    // The middle of the epoch of the 13th is 01:00 of the 14th there.
    expect(text).toBe(
      file(...linesOf(bee.text).filter((line) => line.includes('02-13'))).replaceAll('02-13', '02-14'),
    )
  })

  it('after the newest data are missing, not nothing', async () => {
    const { text } = await server.get(
      `/earnings?hotspot_key=${nameless.text}&first_day=2098-01-01&last_day=2098-01-02`,
    )
    expect(text.match(/data missing/g)).toHaveLength(4)
    expect(text).not.toContain('nothing earned')
  })
})

describe('a request for earnings', () => {
  it.each([
    ['', 'hotspot_key is missing; give keys or names of hotspots, or the address of an owner'],
    [`owner=owner-a&hotspot_key=x&${days}`, 'owner cannot be combined with hotspot_key; use either'],
    ['owner=owner-a', 'first_day is missing; use a day as in 2025-02-01'],
    ['owner=owner-a&first_day=2025-02-02&last_day=2025-02-01', 'last_day is 2025-02-01, before first_day'],
    [
      `owner=owner-a&${days}&format=pdf`,
      'format is "pdf"; use one of ndjson, csv, spreadsheet, xlsx, koinly, cointracker',
    ],
    [`owner=owner-a&${days}&hotspot=x`, 'hotspot is not a parameter here'],
    [`hotspot_key=twin-red-name&${days}`, 'key-b1'],
  ])('%s is refused', async (query, sentence) => {
    const { status, text } = await server.get(`/earnings?${query}`)
    expect([status, JSON.parse(text).error]).toEqual([422, expect.stringContaining(sentence)])
  })

  it('of an unknown owner is refused', async () => {
    const { status, text } = await server.get(`/earnings?owner=nobody&${days}`)
    expect([status, JSON.parse(text).error]).toEqual([404, expect.stringContaining('Owner not found')])
  })

  it('needs the features of totals, and reaches as far back as the key', async () => {
    const { ask, newKey } = await gatedServer(lake.folder)
    const url = `/v1/net/earnings?owner=owner-a&first_day=2025-02-13&last_day=${dayFromNow(2)}`
    expect((await ask(url, await newKey({ features: ['HotspotData'] }))).code).toBe('feature_not_available')
    const first = dayFromNow(-3)
    const { headers, text } = await ask(url, await newKey({ lookbackDays: 3 }))
    expect(headers['ledgerlake-from']).toBe(`${first}T00:00:00Z`)
    expect(text.split('\n')[1]).toMatch(new RegExp(`^${first}`))
    expect(headers['cache-control']).toContain('private')
  })
})

describe('earnings by POST', () => {
  const post = async (query: string, payload: unknown, at: TestServer = server, authorization = '') => {
    const reply = await at.server.inject({
      ...{ method: 'POST', url: `/v1/net/earnings?${query}`, payload: JSON.stringify(payload) },
      headers: { 'content-type': 'application/json', ...(authorization !== '' && { authorization }) },
    })
    return { status: reply.statusCode, text: reply.body, headers: reply.headers }
  }

  it('are those of the keys and names in the body, without an ETag', async () => {
    const body = { hotspot_keys: ['furry-linen-bee', ` ${nameless.text} `] }
    const { status, text, headers } = await post(days, body)
    const { text: same } = await server.get(`/earnings?hotspot_key=furry-linen-bee,${nameless.text}&${days}`)
    expect([status, text, headers.etag]).toEqual([200, same, undefined])
  })

  it('are those of more keys than an address has room for', async () => {
    const keys = Array.from({ length: 5000 }, (_, index) => `unknown-key-of-some-length-${index}`)
    const { status, headers } = await post(days, { hotspot_keys: keys })
    expect([status, headers['ledgerlake-rows']]).toEqual([200, '5000'])
  })

  it.each([
    [days, { keys: [] }, 'hotspot_keys is the one member that the body has'],
    [days, { hotspot_keys: [] }, 'hotspot_keys has no key; give at least one'],
    [`hotspot_key=x&${days}`, { hotspot_keys: ['x'] }, 'stand in the body and in the address'],
    [`owner=owner-a&${days}`, { hotspot_keys: ['x'] }, 'owner cannot be combined with hotspot_key'],
  ])('with %s and %j are refused', async (query, body, sentence) => {
    const { status, text } = await post(query, body)
    expect([status, JSON.parse(text).error]).toEqual([422, expect.stringContaining(sentence)])
  })

  it('need the features of totals, and have no byte of other hotspots', async () => {
    const { test, newKey } = await gatedServer(lake.folder)
    const ask = async (features: readonly ('OracleData' | 'Aggregates')[]) =>
      await post(days, { hotspot_keys: [evil.text] }, test, `Bearer ${await newKey({ features })}`)
    expect((await ask(['OracleData'])).status).toBe(403)
    const { status, text } = await ask(['OracleData', 'Aggregates'])
    expect([status, text]).toEqual([200, file(...linesOf(evil.text))])
  })
})
