import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../../src/catalog/feature.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { servedSql } from '../../../src/services/sql.ts'
import { hostileStatements } from '../../answers/sql/hostile.ts'
import { readers } from '../../support/export/read-files.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { type GatedServer, gatedServer } from '../../support/servers/gated-server.ts'
import { addressOf } from '../../support/servers/mcp-client.ts'

let gated: GatedServer
let key: string
let address: string
let lake: string
let sql: ReturnType<typeof servedSql>

beforeAll(async () => {
  lake = await smallLake()
  const settings = readSettings(
    {},
    { lake, engine_memory_mb: '1024', engine_threads: '2', sql_processes: '1' },
  )
  sql = servedSql(settings)
  gated = await gatedServer(lake, {
    options: {
      openSql: sql.open,
      answerMemoryMb: 8,
      exports: { most: 10, timeoutMs: 60_000, stallMs: 60_000 },
    },
  })
  key = await gated.newKey({ features: [...features, 'Sql'] })
  address = await addressOf(gated.test.server)
  return sql.close
})

const get = (query: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
  gated.ask(`/v1/net/sql?${new URLSearchParams(query)}`, key, { headers })
const post = (body: object, headers: Readonly<Record<string, string>> = {}) =>
  gated.ask('/v1/net/sql', key, {
    method: 'POST',
    payload: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

const GREATEST = '170141183460469231731687303715884105727'

const EXACT =
  'select 9007199254740993::bigint as a, 170141183460469231731687303715884105727::hugeint as b, 1.10::decimal(38,2) as c, ' +
  "timestamptz '2025-01-31 00:00:00+00' as d, null as e, true as f, 'x\"y' as g, date '2025-01-31' as h, 7::integer as i"

describe('GET and POST /sql', () => {
  it('return columns, and rows with every digit', async () => {
    const { status, text, headers } = await get({ query: EXACT })
    expect(status).toBe(200)
    const [, snapshot] = /"snapshot":"([^"]+)"/.exec(text) ?? []
    expect(text).toBe(
      `{"snapshot":"${snapshot}","columns":[{"name":"a","type":"BIGINT"},{"name":"b","type":"HUGEINT"},{"name":"c","type":"DECIMAL(38,2)"},` +
        '{"name":"d","type":"TIMESTAMP WITH TIME ZONE"},{"name":"e","type":"INTEGER"},{"name":"f","type":"BOOLEAN"},{"name":"g","type":"VARCHAR"},' +
        '{"name":"h","type":"DATE"},{"name":"i","type":"INTEGER"}],"is_cut":false,"records":[{"a":9007199254740993,"b":170141183460469231731687303715884105727,' +
        '"c":"1.10","d":"2025-01-31T00:00:00Z","e":null,"f":true,"g":"x\\"y","h":"2025-01-31","i":7}]}',
    )
    expect(headers['ledgerlake-snapshot']).toBe(snapshot)
    expect((await post({ query: EXACT })).text).toBe(text)
  })

  it('with integers=string write integers of 64 bits and more as text, also in lists', async () => {
    const query =
      'select 1::bigint as a, [2::hugeint] as b, 3::integer as c, {d: 4::ubigint} as e, 1.5::decimal(3,1) as f'
    expect((await get({ query, integers: 'string' })).text).toContain(
      '"records":[{"a":"1","b":["2"],"c":3,"e":{"d":"4"},"f":"1.5"}]',
    )
  })

  it.each(['ndjson', 'csv', 'parquet', 'arrow'])(
    'with format=%s give the same rows to a reader of another make',
    async (format) => {
      // 39 digits are more than decimals of Parquet and Arrow have.
      const query = `${EXACT}, i2 from range(5000) r(i2) order by i2`.replace(GREATEST, GREATEST.slice(1))
      const response = await fetch(`${address}/v1/net/sql?${new URLSearchParams({ query, format })}`, {
        headers: { authorization: `Bearer ${key}` },
      })
      expect(response.status).toBe(200)
      const rows = await readers[format]?.(Buffer.from(await response.arrayBuffer()))
      expect(rows).toHaveLength(5000)
      expect(rows?.[4999]).toEqual({
        ...{
          a: '9007199254740993',
          b: GREATEST.slice(1),
          c: '1.1',
          e: null,
          f: 'true',
        },
        ...{ d: '2025-01-31T00:00:00Z', g: 'x"y', h: '2025-01-31', i: '7', i2: '4999' },
      })
    },
  )

  it('bind parameters', async () => {
    const query = 'select $1::bigint + 1 as n, $2 as t, ? is null as z'.replace('?', '$3')
    const parameters = ['9007199254740993', "x' --", null]
    const records = '"records":[{"n":9007199254740994,"t":"x\' --","z":true}]'
    expect((await post({ query, parameters })).text).toContain(records)
    expect((await get({ query, parameters: JSON.stringify(parameters) })).text).toContain(records)
    expect((await post({ query: 'select $1::int', parameters: ['x'] })).text).toContain(
      'Parameter $1 is \\"x\\"; expected a value of the type INTEGER.',
    )
  })

  it('say where an error is', async () => {
    const { status, text } = await post({ query: 'select 1,\n  nocol\nfrom makers' })
    expect(status).toBe(422)
    expect(JSON.parse(text)).toMatchObject({
      code: 'malformed_request',
      position: { line: 2, column: 3, offset: 12 },
    })
  })

  it.each([
    [{}, 'query is missing; give one SELECT.'],
    [{ query: 'select 1', parameters: [1] }, 'parameters must be an array of texts and nulls'],
    [{ query: 'select 1', rows: 10_001 }, 'rows is "10001"; use a number from 1 to 10000.'],
    [{ query: 'select 1', format: 'xlsx' }, 'format'],
    [{ query: 'select 1', rows: 5, format: 'csv' }, 'rows is of JSON; csv has all rows, so leave it out.'],
    [{ query: 'select 1', limit: 5 }, 'limit is not a parameter here'],
    [[], 'The body must be a JSON object'],
  ])('refuse %j', async (body, message) => {
    const { status, text } = await post(body)
    expect([status, text]).toEqual([422, expect.stringContaining(JSON.stringify(message).slice(1, -1))])
  })

  it('say when a JSON reply is cut, by rows and by characters', async () => {
    const count = (text: string) => (JSON.parse(text) as { records: object[] }).records.length
    const few = (await get({ query: 'select i from range(4) r(i)', rows: '3' })).text
    expect([count(few), few.includes('"is_cut":true')]).toEqual([3, true])
    const all = (await get({ query: 'select i from range(3) r(i)', rows: '3' })).text
    expect([count(all), all.includes('"is_cut":false')]).toEqual([3, true])
    const many = (await get({ query: 'select i from range(20000) r(i)' })).text
    expect([count(many), many.includes('"is_cut":true')]).toEqual([10_000, true])
    const long = (await get({ query: "select repeat('x', 1000000) as t from range(20)" })).text
    expect([count(long), long.includes('"is_cut":true')]).toEqual([7, true])
    const one = await get({ query: "select repeat('x', 9000000) as t" })
    expect(one.text).toContain('The first row has more than 8000000 characters of JSON')
  })

  it('give an ETag of question and snapshot, and 304 to a client that has it', async () => {
    const query = { query: 'select count(*) as n from makers' }
    const first = await get(query)
    const etag = String(first.headers.etag)
    expect(first.headers['cache-control']).toBe('private, no-cache')
    expect((await get(query, { 'if-none-match': etag })).status).toBe(304)
    expect((await get(query)).text).toBe(first.text)
    const others = [{ ...query, format: 'csv' }, { ...query, rows: '5' }, { query: `${query.query} ` }]
    for (const other of others) expect((await get(other)).headers.etag).not.toBe(etag)
    const ofValue = async (value: string) =>
      await get({ query: 'select $1 as v', parameters: JSON.stringify([value]) })
    const [one, other] = [await ofValue('one'), await ofValue('other')]
    expect([one.headers.etag === other.headers.etag, other.text.includes('"v":"other"')]).toEqual([
      false,
      true,
    ])
    const pinned = await get({ ...query, as_of: String(first.headers['ledgerlake-snapshot']) })
    expect([pinned.headers['cache-control'], pinned.headers.etag]).toEqual(['private, max-age=86400', etag])
    expect((await get({ query: 'select random() as r' })).headers.etag).toBeUndefined()
    expect((await post(query)).headers['cache-control']).toBe('no-store')
  })

  it('explain a SELECT without naming a folder, and nothing else', async () => {
    const { status, text } = await get({
      query: 'explain select sum(beacon_amount) from iot_reward_shares where end_period > now()',
    })
    expect(status).toBe(200)
    expect(text).toMatch(/"columns":\[\{"name":"plan","type":"VARCHAR"\}\].*READ_PARQUET/s)
    expect(text).not.toContain(lake)
    for (const query of [
      "explain copy (select 1) to 'x'",
      'explain analyze select 1',
      "explain select * from read_text('/etc/passwd')",
    ])
      expect((await get({ query })).status).toBe(422)
  })

  it('need a key with the feature Sql that may read everything', async () => {
    const url = `/v1/net/sql?query=${encodeURIComponent('select 1')}`
    expect((await gated.ask(url)).status).toBe(401)
    const other = await gated.ask(url, await gated.newKey({ features: ['OracleData'] }))
    expect([other.status, other.code]).toEqual([403, 'feature_not_available'])
    const past = await gated.ask(
      url,
      await gated.newKey({ features: [...features, 'Sql'], lookbackDays: 30 }),
    )
    expect([past.status, past.code]).toEqual([403, 'feature_not_available'])
  })

  it('count for the limits of a key', async () => {
    const limited = await gated.newKey({ features: [...features, 'Sql'], ratePerMinute: 1 })
    const url = `/v1/net/sql?query=${encodeURIComponent('select 1')}`
    expect((await gated.ask(url, limited)).status).toBe(200)
    expect((await gated.ask(url, limited)).status).toBe(429)
  })
})

describe('a statement over HTTP that means harm', () => {
  it('is refused in every format', async () => {
    const places = { lake, live: `${lake}/x`, secret: '/etc/passwd', foreign: '/etc/hosts', out: '/tmp/out' }
    const statements = hostileStatements(places)
    expect(statements.length).toBeGreaterThan(100)
    for (const [index, query] of statements.entries()) {
      const format = ['json', 'csv', 'parquet', 'arrow'][index % 4] ?? 'json'
      const { status, text } = await post({ query, format })
      expect([query, status]).toEqual([query, 422])
      expect(text).not.toContain('root:')
    }
  })

  it('that takes too much memory ends with a sentence, and the next one answers', async () => {
    const { status, text } = await post({ query: "select length(printf('%2000000000d', 1))" })
    expect([status, text]).toEqual([422, expect.stringContaining('Statements have 512 MB of memory')])
    expect((await post({ query: 'select 1 as n' })).status).toBe(200)
  })

  it('ends when its client goes, also one that reads nothing, and frees its process', async () => {
    const endless = 'select max(md5(i::varchar)) from range(100000000000) r(i)'
    const huge = 'select md5(i::varchar) as m from range(100000000000) r(i)'
    for (const [query, format] of [
      [endless, 'json'],
      [endless, 'arrow'],
      [huge, 'csv'],
      [huge, 'arrow'],
    ] as const) {
      const client = new AbortController()
      const request = fetch(`${address}/v1/net/sql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, format }),
        signal: client.signal,
      })
      request.catch(() => {})
      if (query === huge) expect((await request).status).toBe(200)
      await setTimeout(300)
      client.abort()
      // There is one process, so this one waits for it.
      expect((await post({ query: 'select 2 as n' })).text).toContain('"records":[{"n":2}]')
    }
  })

  it('that fails after its first rows resets the connection', async () => {
    const query = "select if(i < 1000000, i, ('x' || i)::int) as n from range(1000001) r(i)"
    const response = await fetch(`${address}/v1/net/sql?${new URLSearchParams({ query, format: 'csv' })}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  })
})
