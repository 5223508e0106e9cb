import { beforeAll, describe, expect, it } from 'vitest'
import {
  dayBefore,
  hotspot,
  iotShare,
  type MadeLake,
  makeLake,
  manifest,
} from '../../support/lakes/make-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'

const [first, second] = [hotspot(1), hotspot(2)]
const paid = (date: string, key: Uint8Array, amounts: object) =>
  iotShare({ ...dayBefore(date), reward_type: 'gateway_reward', hotspot_key: key, ...amounts })

/** A day in HNT, a day without a file, and a day without a manifest. */
const files = {
  'iot/iot_reward_share.1.gz': [
    paid('2025-02-14', first.raw, { beacon_amount: 150n, witness_amount: 50n }),
    paid('2025-02-14', second.raw, { witness_amount: 2n ** 63n }),
  ],
  'iot/iot_reward_share.2.gz': [paid('2025-02-16', second.raw, { beacon_amount: 9n })],
  'iot/reward_manifest.3.gz': [
    manifest({
      start_timestamp: dayBefore('2025-02-14').start_period,
      end_timestamp: dayBefore('2025-02-14').end_period,
      ...{ written_files: ['iot_reward_share.1.gz'], reward_type: 'iot' },
      ...{ token: 'iot_reward_token_main', price: 400_000_000n },
    }),
  ],
}

let lake: MadeLake
let server: TestServer

beforeAll(async () => {
  lake = await makeLake(files)
  server = await buildTestServer(lake.folder)
})

const path = '/l2/iot-reward-shares/totals/series'
const days = 'first_day=2025-02-13&last_day=2025-02-15'
const byHotspot = `${path}?${days}&group_by=hotspot`

const header =
  'start,token,group,name,total_beacon_amount,formatted_total_beacon_amount,total_witness_amount,formatted_total_witness_amount,' +
  'total_dc_transfer_amount,formatted_total_dc_transfer_amount,total_amount,formatted_total_amount,earned,formatted_earned,usd'
const lines = [
  `2025-02-13,iot_reward_token_main,${second.text},,0,0.0,9223372036854775808,92233720368.54775808,0,0.0,0,0.0,9223372036854775808,92233720368.54775808,368934881474.19103232`,
  `2025-02-13,iot_reward_token_main,${first.text},,150,0.0000015,50,0.0000005,0,0.0,0,0.0,200,0.000002,0.000008`,
  `2025-02-15,,${second.text},,9,,0,,0,,0,,9,,`,
]

describe('a series as a file', () => {
  it('is CSV with a line for each row, every digit, and empty cells for what is unknown', async () => {
    const { status, text, headers } = await server.get(`${byHotspot}&format=csv`)
    expect([status, text]).toEqual([200, `${[header, ...lines].join('\n')}\n`])
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition':
        'attachment; filename="iot_reward_shares_2025-02-13_2025-02-15_by_day_and_hotspot.csv"',
      'ledgerlake-rows': '3',
      'ledgerlake-missing': 'days=1, manifests=1',
    })
    expect(headers['content-location']).toContain('as_of=')
  })

  it('is NDJSON with the objects of the JSON', async () => {
    const json = (await server.get(byHotspot)).text
    const { text, headers } = await server.get(`${byHotspot}&format=ndjson`)
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    const records = json.slice(json.indexOf('"records":[') + '"records":['.length, -2)
    expect(text.trimEnd().split('\n').join(',')).toBe(records)
    expect(text.endsWith('}\n')).toBe(true)
    const asText = (await server.get(`${byHotspot}&format=ndjson&integers=string`)).text
    expect(asText).toContain('"earned":"9223372036854775808"')
  })

  it('has the lines of CSV for spreadsheets', async () => {
    const { text, headers } = await server.get(`${byHotspot}&format=spreadsheet`)
    expect(text).toBe(`${[header, ...lines].join('\n')}\n`)
    expect(headers['content-type']).toContain('profile=spreadsheet')
  })

  it('has the header of a list of nothing', async () => {
    const { status, text, headers } = await server.get(
      `${path}?first_day=2024-01-01&last_day=2024-01-02&format=csv`,
    )
    expect([status, text, headers['ledgerlake-rows']]).toEqual([200, `${header}\n`, '0'])
  })

  it('has the counts of its coverage, and of unknown keys, in headers', async () => {
    const { headers } = await server.get(
      `${path}?${days}&hotspot_key=${first.text},nobody&coverage=true&format=csv`,
    )
    expect(JSON.parse(String(headers['ledgerlake-coverage']))).toMatchObject({ missing: 1, present: 2 })
    expect(headers['ledgerlake-unknown']).toBe('hotspot_key=1')
  })

  it('has its own ETag, is not sent again, and answers HEAD without a body', async () => {
    const url = `/v1/net${byHotspot}&format=csv`
    const { headers } = await server.get(`${byHotspot}&format=csv`)
    const json = await server.get(byHotspot)
    expect(headers.etag).toMatch(/^"[\w-]{27}"$/)
    expect(headers.etag).not.toBe(json.headers.etag)
    const again = await server.server.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const head = await server.server.inject({ url, method: 'HEAD' })
    expect([head.statusCode, head.headers.etag, head.body]).toEqual([200, headers.etag, ''])
  })

  it('is what the path for files and a POST with keys give', async () => {
    const { text } = await server.get(`${byHotspot}&format=csv`)
    expect((await server.get(`/files${byHotspot}&format=csv`)).text).toBe(text)
    const posted = await server.server.inject({
      ...{ method: 'POST', url: `/v1/net${byHotspot}&format=csv` },
      payload: { hotspot_keys: [first.text] },
    })
    expect([posted.statusCode, posted.body]).toEqual([200, `${[header, lines[1]].join('\n')}\n`])
    expect(posted.headers['content-location']).toBeUndefined()
  })

  it.each([
    ['format=xml', 'format is "xml"; use one of json, ndjson, csv, spreadsheet'],
    ['format=parquet', 'format is "parquet"; use one of json, ndjson, csv, spreadsheet'],
    [
      'format=csv&group_by=hotspot&interval=all&median=true',
      'median is only in JSON; leave it or format=csv out',
    ],
    ['format=csv&columns=usd', 'columns is not a parameter here'],
  ])('refuses %s', async (query, sentence) => {
    const { status, text } = await server.get(`${path}?${days}&${query}`)
    expect([status, JSON.parse(text).error]).toEqual([422, expect.stringContaining(sentence)])
  })

  it('needs the features of the series', async () => {
    const { ask, newKey } = await gatedServer(lake.folder)
    const { status } = await ask(
      `/v1/net${byHotspot}&format=csv`,
      await newKey({ features: ['HotspotData'] }),
    )
    expect(status).toBe(403)
    const reply = await ask(`/v1/net${byHotspot}&format=csv`, await newKey())
    expect([reply.status, reply.headers['cache-control']]).toEqual([200, expect.stringContaining('private')])
  })
})
