import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { hotspot } from '../../support/lakes/make-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { makeStatementLake } from '../../support/statement/made-network.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const keys = [`${hotspot(1).text},sold 2025-06-30`, `${hotspot(7).text},bought 2025-06-01`]
const prices = ['day,token,currency,price', '2025-01-01,IOT,EUR,0.0025', '2025-03-30,HNT,EUR,2.5']
const body = { owners: ['owner-a'], hotspot_keys: keys, prices }
const address = '/statement?year=2025&tz=Europe/Berlin'

let lake: string
let server: TestServer

beforeAll(async () => {
  lake = (await makeStatementLake()).folder
  server = await buildTestServer(lake)
})

const headers = { 'content-type': 'application/json' }
async function post(path: string, payload: unknown, at = server) {
  const url = path.startsWith('/v1') ? path : `/v1/net${path}`
  const reply = await at.server.inject({ method: 'POST', url, headers, payload: JSON.stringify(payload) })
  return { status: reply.statusCode, text: reply.body, headers: reply.headers }
}

/** Writes the statement of the command, and returns its summary and the folder. */
async function command(...lines: readonly string[]) {
  const cwd = await temporaryFolder()
  writeFileSync(join(cwd, 'keys'), `${keys.join('\n')}\n`)
  writeFileSync(join(cwd, 'prices'), prices.join('\n'))
  const { code, stderr } = await runMain(
    ['statement', ...lines, '--year', '2025', '--tz', 'Europe/Berlin', '--lake', lake, '--out', 'year'],
    { cwd },
  )
  expect([code, stderr]).toEqual([0, ''])
  const read = (name: string) => readFileSync(join(cwd, 'year', name), 'utf8')
  return { read, summary: JSON.parse(read('summary.json')) }
}

describe('a statement by POST', () => {
  it('is the one that the command writes of owners, exceptions and prices, also its files', async () => {
    const { status, text, headers: got } = await post(address, body)
    expect([status, got.etag]).toEqual([200, undefined])
    const { from_served: _, files, ...summary } = JSON.parse(text)
    const { summary: written, read } = await command(
      ...['--owner', 'owner-a', '--keys-file', 'keys', '--prices', 'prices'],
    )
    expect({ ...summary, files: files.map(({ href, ...file }: { href: string }) => file) }).toEqual(written)
    expect(summary.prices).toMatchObject({ currency: 'EUR', lines: 2 })
    expect(files.length).toBeGreaterThan(2)
    for (const { name, href } of files) expect((await post(href, body)).text).toBe(read(name))
  })

  it('of several owners is one statement of all', async () => {
    const owners = ['owner-a', 'owner-b']
    const { text } = await post(address, { owners })
    const { summary } = await command('--owner', 'owner-a', '--owner', 'owner-b')
    expect(JSON.parse(text).digest).toBe(summary.digest)
  })

  it('has prices of an owner in the address', async () => {
    const { status, text } = await post(`${address}&owner=owner-a`, { prices })
    expect([status, JSON.parse(text).prices.currency]).toEqual([200, 'EUR'])
  })

  it.each([
    [{}, 'owners, hotspot_keys and prices are the members that the body may have'],
    [{ keys }, 'use {"owners": ["…"], "hotspot_keys": ["…"], "prices": ["…"]}'],
    [{ prices }, 'owners is missing; name the addresses of owners, or give hotspot_keys'],
    [{ owners: 'owner-a' }, 'owners must be an array of strings'],
    [{ owners: [] }, 'owners is empty; leave it out'],
    [{ owners: Array.from({ length: 101 }, () => 'a') }, 'owners has 101 texts; the limit is 100'],
    [{ hotspot_keys: ['# ok', 'bee'] }, 'Line 2 of hotspot_keys begins with "bee"'],
    [{ hotspot_keys: keys, prices: ['2025-01-01,IOT,EUR,0,1'] }, 'Line 1 of prices has 5 parts'],
  ])('refuses the body %j', async (payload, sentence) => {
    const { status, text } = await post(address, payload)
    expect([status, JSON.parse(text).error]).toEqual([422, expect.stringContaining(sentence)])
  })

  it('refuses owners in the body and in the address', async () => {
    const { status, text } = await post(`${address}&owner=owner-a`, { owners: ['owner-b'] })
    expect([status, text]).toEqual([422, expect.stringContaining('cannot be combined with owner')])
  })

  it('refuses a body beyond the limit with its size', async () => {
    const { status, text } = await post(address, { owners: ['x'.repeat(5 * 2 ** 20)] })
    expect([status, text]).toEqual([413, expect.stringContaining('at most 4194304 bytes')])
  })
})

describe('a statement by POST with a limited key', () => {
  it('needs every feature, and has no byte of other hotspots', async () => {
    const { newKey, test } = await gatedServer(lake)
    const ask = async (key: string, path = address) => {
      const reply = await test.server.inject({
        ...{ method: 'POST', url: `/v1/net${path}` },
        headers: { ...headers, authorization: `Bearer ${key}` },
        payload: JSON.stringify({ hotspot_keys: [hotspot(1).text] }),
      })
      return { status: reply.statusCode, text: reply.body }
    }
    for (const lacking of ['HotspotData', 'OracleData', 'Aggregates'] as const) {
      const features = (['HotspotData', 'OracleData', 'Aggregates'] as const).filter((one) => one !== lacking)
      expect(await ask(await newKey({ features }))).toMatchObject({ status: 403 })
    }
    const key = await newKey({ features: ['HotspotData', 'OracleData', 'Aggregates'] })
    const { text } = await ask(key)
    const files = JSON.parse(text).files as readonly { readonly href: string }[]
    const bodies = await Promise.all(files.map(({ href }) => ask(key, href.replace('/v1/net', ''))))
    const everything = text + bodies.map((one) => one.text).join('')
    expect(everything).toContain(hotspot(1).text)
    for (const number of [2, 3, 4, 5, 6, 7]) expect(everything).not.toContain(hotspot(number).text)
  })

  it('covers only the days of the look-back, also of a hotspot that was held longer', async () => {
    const { newKey, test } = await gatedServer(lake)
    const key = await newKey({ lookbackDays: 3 })
    const first = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
    const { body: text } = await test.server.inject({
      ...{ method: 'POST', url: '/v1/net/statement?from=2025-01-01&to=2099-12-31' },
      headers: { ...headers, authorization: `Bearer ${key}` },
      payload: JSON.stringify({ hotspot_keys: [`${hotspot(1).text},2025-01-01,2099-01-01`] }),
    })
    const { from_served: served, hotspots, tokens } = JSON.parse(text)
    expect([served, hotspots[0].from, tokens]).toEqual([first, first, []])
  })
})
