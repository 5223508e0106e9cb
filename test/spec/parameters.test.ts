import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readExact } from '../support/exact-json.ts'
import { inside } from '../support/inside.ts'
import { dayBefore, iotShare, makeLake } from '../support/lakes/make-lake.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { some } from '../support/some.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const iot = '/l2/iot-reward-shares'
const mobile = '/l2/mobile-reward-shares'
const range = 'from=2025-01-28&to=2025-02-01'
const someHotspot = '11pCSNmPiUNvrY1aUQWpjbrThApdhr1afqrnDpbPdfJs2w5jHC8'

interface ErrorBody {
  readonly error: string
  readonly code: string
  readonly errors?: readonly { readonly param: string; readonly message: string }[]
}

describe('parameters', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await buildTestServer(await smallLake())
  })

  async function refused(path: string): Promise<ErrorBody> {
    const { status, text, headers } = await server.get(path)
    expect(status, text.slice(0, 300)).toBe(422)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(text).not.toMatch(inside)
    const body = JSON.parse(text) as ErrorBody
    expect(Object.keys(body)).toEqual(['error', 'code', 'errors'])
    expect(body.code).toBe('malformed_request')
    for (const fault of some(body.errors)) {
      expect(Object.keys(fault)).toEqual(['param', 'message'])
      expect(body.error).toContain(fault.message)
    }
    return body
  }

  const paramsOf = (body: ErrorBody) => body.errors?.map((fault) => fault.param)

  /** Matching records of a query, counted by the pages. */
  async function countOf(query: string, path = iot): Promise<number> {
    const { status, text } = await server.get(`${path}?${query}&per_page=1`)
    expect(status, text.slice(0, 300)).toBe(200)
    const { meta, records } = readExact<{ meta: { total_pages: bigint }; records: unknown[] }>(text)
    return records.length === 0 ? 0 : Number(meta.total_pages)
  }

  describe('a request is refused', () => {
    it('without from', async () => {
      expect(paramsOf(await refused(`${mobile}/totals?to=2025-01-28`))).toEqual(['from'])
    })

    it.each(['1.5', '1e3', '0x10', '1%201', '%2B1', '٣', '1'.repeat(31), '9007199254741', 'NaN', 'null'])(
      'for page=%s',
      async (value) => {
        const body = await refused(`${iot}?${range}&page=${value}`)
        expect(paramsOf(body)).toEqual(['page'])
        expect(body.errors?.[0]?.message).toContain(JSON.stringify(decodeURIComponent(value)))
        expect(body.errors?.[0]?.message).toContain('a whole number from 1')
      },
    )

    it.each(['-1', '1000', '1.5', 'abc', '٣', '1'.repeat(31)])('for per_page=%s', async (value) => {
      const body = await refused(`${iot}?${range}&per_page=${value}`)
      expect(paramsOf(body)).toEqual(['per_page'])
      expect(body.errors?.[0]?.message).toContain('a whole number from 1 to 100')
    })

    it.each([
      'yesterday',
      '2025-02-30',
      '2025-13-01',
      '2025-01-29T25:00:00Z',
      '2025-01-29T00:00:00%2B24:00',
      '20250129',
      '1738108800',
      '2025-01-29;DROP TABLE x',
      "2025-01-29'--",
      '%zz',
      '%',
      '𝄞',
      '٢٠٢٥-٠١-٢٩',
      '[object Object]',
    ])('for the time %s, in from and in to', async (value) => {
      const text = encodeURI(value).replaceAll('%25', '%')
      const from = await refused(`${iot}?from=${text}&to=2100-01-01`)
      expect(paramsOf(from)).toEqual(['from'])
      expect(from.errors?.[0]?.message).toMatch(/^from is ".*"; use an ISO 8601 date or time/)
      const to = await refused(`${iot}/totals?from=2000-01-01&to=${text}`)
      expect(paramsOf(to)).toEqual(['to'])
    })

    it.each([
      ['page', 'page=1&page=2'],
      ['per_page', 'per_page=1&per_page=1'],
      ['from', 'from=2025-01-28'],
      ['hotspot_key', 'hotspot_key=a&hotspot_key=b'],
      ['reward_type', 'reward_type=gateway_reward&reward_type='],
      ['integers', 'integers=string&integers=string'],
      ['as_of', 'as_of=1&as_of=1'],
    ])('if %s is given more than once', async (param, query) => {
      const body = await refused(`${iot}?${range}&${query}`)
      expect(paramsOf(body)).toEqual([param])
      expect(body.errors?.[0]?.message).toBe(`${param} is given 2 times; give it once`)
    })

    it.each(['from[]', 'from[0]', 'hotspot_key[eq]', 'page.', 'From', 'PAGE'])(
      'for the spelling %s, and the error suggests the parameter',
      async (name) => {
        const known = name.toLowerCase().replace(/\W.*/, '')
        const body = await refused(`${iot}?${range}&${encodeURIComponent(name)}=1`)
        expect(paramsOf(body)).toEqual([name])
        expect(body.errors?.[0]?.message).toBe(`${name} is not a parameter here; did you mean ${known}?`)
      },
    )

    it.each([
      ['hotspot', 'hotspot_key'],
      ['hotspotkey', 'hotspot_key'],
      ['rewardtype', 'reward_type'],
      ['perpage', 'per_page'],
      ['asof', 'as_of'],
    ])('for the unknown parameter %s, and the error suggests %s', async (name, known) => {
      const body = await refused(`${iot}?${range}&${name}=x`)
      expect(body).toEqual({
        error: `${name} is not a parameter here; did you mean ${known}?`,
        code: 'malformed_request',
        errors: [{ param: name, message: `${name} is not a parameter here; did you mean ${known}?` }],
      })
    })

    it.each([
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
      'valueOf',
      '__proto__[page]',
    ])('for the unknown name %s', async (name) => {
      const body = await refused(`${iot}?${range}&${encodeURIComponent(name)}=1`)
      expect(paramsOf(body)).toEqual([name])
      expect(({} as Record<string, unknown>).page).toBeUndefined()
    })

    it.each(['from', 'to', 'page', 'hotspot_key', 'reward_type', 'as_of', 'integers'])(
      'for a NUL character in %s',
      async (param) => {
        const others = ['from=2025-01-28', 'to=2025-02-01'].filter((query) => !query.startsWith(`${param}=`))
        const body = await refused(`${iot}?${[...others, `${param}=a%00b`].join('&')}`)
        expect(paramsOf(body)).toEqual([param])
        expect(body.errors?.[0]?.message).toContain('NUL')
      },
    )

    it.each(['text', '1', 'true', 'String', 'bigint'])('for integers=%s', async (value) => {
      const body = await refused(`${iot}?${range}&integers=${value}`)
      expect(paramsOf(body)).toEqual(['integers'])
      expect(body.errors?.[0]?.message).toBe(`integers is "${value}"; use number or string`)
    })

    it.each([
      'latest',
      '-1',
      '1e3',
      '1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18.19.20',
      '999999',
      '../..',
      '.',
      '%20.',
    ])('if as_of=%s is the id of no snapshot', async (value) => {
      const body = await refused(`${iot}?${range}&as_of=${value}`)
      expect(paramsOf(body)).toEqual(['as_of'])
      expect(body.errors?.[0]?.message).toContain('Ledgerlake-Snapshot')
    })

    it.each([
      ['equal to, in another zone,', '2025-01-29T00:00:00Z', '2025-01-29T02:00:00%2B02:00'],
      ['far after', '2100-01-01', '2000-01-01'],
    ])('if its from is %s its to, with both in the errors', async (_, from, to) => {
      for (const path of [iot, `${mobile}/totals`]) {
        const body = await refused(`${path}?from=${from}&to=${to}`)
        expect(paramsOf(body)).toEqual(['from', 'to'])
        const [first, second] = body.errors ?? []
        expect(first?.message).toBe(second?.message)
        expect(first?.message).toContain('from must be before to')
        expect(body.error).toBe(`${first?.message}.`)
      }
    })

    it.each([
      [`${iot}?${range}&hotspot_key=${someHotspot},${someHotspot}`, 'hotspot_key'],
      [`${iot}/totals?${range}&hotspot_key=a,b`, 'hotspot_key'],
      [`${mobile}?${range}&hotspot_key=,`, 'hotspot_key'],
      ['/l2/hotspots?ecc_key=a%2Cb', 'ecc_key'],
    ])('if it has several keys for one parameter: %s', async (path, param) => {
      const message = `${param} has a comma; give one key here, and several to a series`
      expect(await refused(path)).toMatchObject({ error: `${message}.`, errors: [{ param, message }] })
      const series = `${iot}/totals/series?${range}&hotspot_key=${someHotspot},b`
      expect((await server.get(series)).status).toBe(200)
    })

    it('with an error for each wrong parameter', async () => {
      const body = await refused(
        `${iot}?from=yesterday&page=0&per_page=101&hotspot_key=%00&reward_type=a&reward_type=b&integers=x&nope=1`,
      )
      expect([...(paramsOf(body) ?? [])].sort()).toEqual(
        ['from', 'to', 'page', 'per_page', 'hotspot_key', 'reward_type', 'integers', 'nope'].sort(),
      )
    })

    it.each([
      ['nobody', ''],
      ['GATEWAY_REWARD', '; did you mean gateway_reward?'],
      ['gatway_reward', '; did you mean gateway_reward?'],
      ['unallocated', '; did you mean unallocated_reward?'],
      ['gateway_reward ', '; did you mean gateway_reward?'],
      ['radio_reward', ''],
      ['__proto__', ''],
      ['constructor', ''],
    ])('if IoT does not have its reward type, in lists and totals: %j', async (value, hint) => {
      const known = 'use one of gateway_reward, operational_reward, unallocated_reward'
      const message = `reward_type is "${value}"; ${known}${hint}`
      for (const path of [iot, `${iot}/totals`]) {
        const body = await refused(`${path}?${range}&reward_type=${encodeURIComponent(value)}`)
        expect(body.errors).toEqual([{ param: 'reward_type', message }])
      }
    })

    it('with a short error if a value or name is very long', async () => {
      const long = 'x'.repeat(8000)
      const asValue = await refused(`${iot}?${range}&page=${long}`)
      expect(asValue.error.length).toBeLessThan(300)
      const asName = await refused(`${iot}?${range}&${long}=1`)
      expect(asName.error.length).toBeLessThan(300)
    })

    it('before any work of the engine', async () => {
      const before = server.engine.work()
      await refused(`${iot}?${range}&hotspot_key=${someHotspot}&nope=1`)
      await refused(`${mobile}/totals?${range}&hotspot_key=${someHotspot}&page=1`)
      expect(server.engine.work()).toEqual(before)
    })
  })

  describe('accepted values', () => {
    it('a blank filter equals no filter', async () => {
      expect(await countOf(range)).toBe(457)
      expect(await countOf(`${range}&hotspot_key=&reward_type=%20&integers=&as_of=&page=`)).toBe(457)
      const { text } = await server.get(`${iot}/totals?${range}&hotspot_key=%09&reward_type=`)
      expect(text).toContain('"total_amount":36403378988914885')
    })

    it.each([
      'nobody',
      'NOBODY',
      someHotspot.toLowerCase(),
      `${someHotspot}%20`,
      `%20${someHotspot}`,
      someHotspot.slice(0, -1),
      `${someHotspot.slice(0, -1)}%25`,
      '%25',
      '_',
      '*',
      "'%20OR%20'1'='1",
      "'%3B%20DROP%20TABLE%20x%3B--",
      '$1',
      '%F0%9D%84%9E',
      '%zz',
      'null',
      'x'.repeat(8000),
    ])('an unknown hotspot returns an empty list and totals of 0: %s', async (value) => {
      expect(await countOf(`${range}&hotspot_key=${value}`)).toBe(0)
      const { status, text } = await server.get(`${iot}/totals?${range}&hotspot_key=${value}`)
      expect(status).toBe(200)
      expect(text).toBe(
        '{"total_beacon_amount":0,"total_witness_amount":0,"total_dc_transfer_amount":0,"total_amount":0}',
      )
    })

    // The four days of the small network end at 00:00 UTC of 29, 30, 31 January and 1 February.
    it.each([
      ['bare dates, both ends included', 'from=2025-01-29&to=2025-02-01', 457],
      ['times with seconds', 'from=2025-01-29T00:00:00Z&to=2025-02-01T00:00:00Z', 457],
      ['the first second after an end of a day', 'from=2025-01-29T00:00:01Z&to=2025-02-01', 345],
      ['the last second before the end of a day', 'from=2025-01-29&to=2025-01-30T23:59:59Z', 230],
      ['a microsecond after', 'from=2025-01-29T00:00:00.000001Z&to=2025-02-01', 345],
      ['less than a microsecond after', 'from=2025-01-29T00:00:00.0000001Z&to=2025-02-01', 345],
      ['less than a microsecond before', 'from=2025-01-29&to=2025-01-30T23:59:59.9999999Z', 230],
      ['less than a microsecond after the end', 'from=2025-01-29&to=2025-02-01T00:00:00.0000009Z', 457],
      ['fractions of nothing', 'from=2025-01-29T00:00:00.000000000Z&to=2025-02-01T00:00:00.0Z', 457],
      ['an offset', 'from=2025-01-29T02:00:00%2B02:00&to=2025-02-01', 457],
      ['an offset that moves past the end of a day', 'from=2025-01-29T00:00:00-00:01&to=2025-02-01', 345],
      ['a plus sign that became a blank', 'from=2025-01-29T02:00:00+02:00&to=2025-02-01', 457],
      ['a time without an offset, which is UTC', 'from=2025-01-29T00:00:00&to=2025-02-01T00:00', 457],
      ['a blank between date and time', 'from=2025-01-29%2000:00:00&to=2025-02-01+00:00:00', 457],
      ['a range between the days', 'from=2025-01-29T00:00:01Z&to=2025-01-29T23:59:59Z', 0],
      ['a second around one day', 'from=2025-01-28T23:59:59Z&to=2025-01-29', 112],
      ['all of time', 'from=0001-01-01&to=9999-12-31T23:59:59.999999Z', 457],
      [
        'the edges of time, moved outwards by an offset',
        'from=0000-01-01T00:00:00%2B23:59&to=9999-12-31T23:59:59-23:59',
        457,
      ],
      ['far in the future', 'from=2100-01-01&to=2101-01-01', 0],
    ])('%s', async (_, query, count) => {
      expect(await countOf(query)).toBe(count)
      // Every share has one of three types.
      let ofTypes = 0
      for (const type of ['gateway_reward', 'operational_reward', 'unallocated_reward'])
        ofTypes += await countOf(`${query}&reward_type=${type}`)
      expect(ofTypes).toBe(count)
    })

    it.each([
      ['from=2025-01-29T00:00:01Z&to=2025-02-01', 2],
      ['from=2025-01-29T00:00:00.0000001Z&to=2025-02-01', 2],
      ['from=2025-01-29&to=2025-02-01', 3],
      ['from=0001-01-01&to=9999-12-31T23:59:59.999999Z', 3],
      ['from=0000-01-01T00:00:00%2B23:59&to=2100-01-01', 3],
      ['from=2025-01-29&to=9999-12-31T23:59:59-23:59', 3],
      ['from=9999-12-31T23:59:59.9999991Z&to=9999-12-31T23:59:59-23:59', 0],
    ])('a range limits the rows of one hotspot: %s', async (query, count) => {
      expect(await countOf(`${query}&hotspot_key=${someHotspot}`)).toBe(count)
    })

    it('a range shorter than a microsecond selects only rows inside it', async () => {
      // The day ends within the first of these ranges and outside of the second.
      expect(await countOf('from=2025-01-28T23:59:59.9999999Z&to=2025-01-29T00:00:00.0000001Z')).toBe(112)
      expect(await countOf('from=2025-01-29T00:00:00.0000001Z&to=2025-01-29T00:00:00.0000009Z')).toBe(0)
    })

    it('parameters come in any order and may be encoded', async () => {
      expect(await countOf('reward%5Ftype=gateway%5Freward&to=2025%2D02%2D01&from=2025-01-28')).toBe(437)
    })
  })

  describe('of HTTP itself', () => {
    it.each([
      '/v1/net/l2/nothing',
      '/v1/net/l2//iot-reward-shares',
      '/v1/net/l2/iot-reward-shares/totals/more',
      '/v1/net/l2/IOT-REWARD-SHARES',
      '/v1/other/l2/iot-reward-shares',
      '/v2/net/l2/iot-reward-shares',
      '/v1/net/../../etc/passwd',
      '/v1/net/l2/reward-manifests',
      '/v1/net/__proto__',
      '/favicon.ico',
      `/v1/${'x'.repeat(5000)}`,
    ])('the unknown path %s returns 404', async (url) => {
      const reply = await server.server.inject({ method: 'GET', url })
      expect(reply.statusCode).toBe(404)
      expect(reply.headers['content-type']).toMatch(/^application\/json/)
      const body = JSON.parse(reply.body) as ErrorBody
      expect(Object.keys(body)).toEqual(['error', 'code'])
      expect(body.code).toBe('not_found')
      expect(body.error.length).toBeLessThan(300)
    })

    it.each(['/v1/net/l2/%zz', '/v1/net/l2/iot-reward-shares%', '/%E0%A4%A'])(
      'a path with broken percent-encoding, %s, is refused',
      async (url) => {
        const reply = await server.server.inject({ method: 'GET', url })
        expect(reply.statusCode).toBe(422)
        expect(JSON.parse(reply.body)).toEqual({ error: expect.any(String), code: 'malformed_request' })
        expect(reply.body).not.toMatch(inside)
      },
    )

    it('/healthz and /readyz return 200', async () => {
      const health = await server.server.inject('/healthz')
      expect([health.statusCode, health.body]).toEqual([200, '{"status":"ok"}'])
      const ready = await server.server.inject('/readyz')
      const { headers } = await server.get(`${iot}?${range}`)
      expect([ready.statusCode, ready.body]).toEqual([
        200,
        `{"status":"ready","snapshot":"${headers['ledgerlake-snapshot']}"}`,
      ])
    })
  })
})

describe('an empty lake', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await buildTestServer(await temporaryFolder())
  })

  it('returns 200 at /healthz and 503 at /readyz', async () => {
    expect((await server.server.inject('/healthz')).statusCode).toBe(200)
    const ready = await server.server.inject('/readyz')
    expect(ready.statusCode).toBe(503)
    expect(JSON.parse(ready.body)).toEqual({ error: expect.any(String), code: 'not_ready' })
  })

  it.each([iot, `${iot}/totals`, mobile, `${mobile}/totals`])('returns not_ready at %s', async (path) => {
    for (const more of ['', '&as_of=0', `&hotspot_key=${someHotspot}`]) {
      const { status, text } = await server.get(`${path}?${range}${more}`)
      expect(status).toBe(503)
      expect(JSON.parse(text)).toEqual({ error: expect.any(String), code: 'not_ready' })
      expect(text).not.toMatch(inside)
    }
  })

  it('still reports invalid parameters', async () => {
    expect((await server.get(`${iot}?page=0`)).status).toBe(422)
  })
})

describe('a lake with missing files', () => {
  it('returns an error with the file and the repair, and without internal paths', async () => {
    const lake = await makeLake({
      'iot/iot_reward_share.1.gz': [
        iotShare({ ...dayBefore('2025-01-29'), reward_type: 'operational_reward', amount: 5n }),
      ],
    })
    const server = await buildTestServer(lake.folder)
    const table = join(lake.folder, 'iot_reward_shares')
    for (const name of readdirSync(table, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.parquet')) rmSync(join(table, name))

    for (const path of [`${iot}?${range}`, `${iot}/totals?${range}&hotspot_key=${someHotspot}`]) {
      const { status, text } = await server.get(path)
      expect(status).toBe(503)
      const body = JSON.parse(text) as ErrorBody
      expect(body.code).toBe('lake_damaged')
      expect(body.error).toMatch(
        /^iot_reward_shares\/month=2025-01\/part-[\da-f-]{36}\.parquet of the lake is damaged: it is missing\. .*verify --lake DIR --repair$/,
      )
      expect(text).not.toContain(lake.folder)
    }
    // What the log alone can answer is still answered.
    const { text } = await server.get(`${iot}/totals?${range}`)
    expect(text).toContain('"total_amount":5}')
  })
})

describe('as_of', () => {
  it('answers from an older snapshot after a later ingest, pages and totals alike', async () => {
    const share = (date: string, amount: bigint) =>
      iotShare({ ...dayBefore(date), reward_type: 'operational_reward', amount })
    const lake = await makeLake({
      'iot/iot_reward_share.1.gz': [share('2025-01-29', 5n), share('2025-01-29', 6n)],
    })
    const before = await buildTestServer(lake.folder)
    const first = await before.get(`${iot}?${range}`)
    const old = String(first.headers['ledgerlake-snapshot'])

    await lake.add({ 'iot/iot_reward_share.2.gz': [share('2025-01-29', 7n)] })
    const server = await buildTestServer(lake.folder)
    const newest = await server.get(`${iot}/totals?${range}`)
    expect(newest.text).toContain('"total_amount":18}')
    expect(newest.headers['ledgerlake-snapshot']).not.toBe(old)

    const pinned = await server.get(`${iot}?${range}&as_of=${old}`)
    expect(pinned.text).toBe(first.text)
    expect(pinned.headers['ledgerlake-snapshot']).toBe(old)
    const totals = await server.get(`${iot}/totals?${range}&as_of=${old}`)
    expect(totals.text).toContain('"total_amount":11}')
    expect(totals.headers['ledgerlake-snapshot']).toBe(old)
    const own = await server.get(`${iot}?${range}&as_of=${newest.headers['ledgerlake-snapshot']}`)
    expect(readExact<{ meta: { count: bigint } }>(own.text).meta.count).toBe(3n)
  })
})
