import { beforeAll, describe, expect, it } from 'vitest'
import { compareEnds } from '../support/archive/ask.ts'
import { type ListOperation, ledgerOperations, networkIn } from '../support/archive/operations.ts'
import { smallNetwork } from '../support/fixtures.ts'
import { inside } from '../support/inside.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { networks as everyNetwork } from '../support/specified.ts'
import { scaled } from '../support/tier.ts'

const operations = ledgerOperations(networkIn(smallNetwork))
const each = operations.map((operation) => [operation.path, operation] as const)
const having = (filter: string) =>
  operations.filter(({ filters }) => filter in filters).map(({ path }) => path)

const aTime = 'use an ISO 8601 date or time such as 2026-07-01 or 2026-07-01T00:00:00Z'
const aLong = 'use a whole number of at most 64 bits'
const aCell = 'use an H3 cell as a decimal integer, such as 631280284262249471'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer(await smallLake())
})

interface Fault {
  readonly param: string
  readonly message: string
}

/** The faults of a refused request; the engine is not asked. */
async function faultsOf(path: string, query: string): Promise<readonly Fault[]> {
  const before = server.engine.work()
  const { status, text } = await server.get(`${path}?${query}`)
  expect(status, text.slice(0, 300)).toBe(422)
  expect(server.engine.work()).toEqual(before)
  expect(text).not.toMatch(inside)
  const body = JSON.parse(text) as { error: string; code: string; errors: readonly Fault[] }
  expect(Object.keys(body)).toEqual(['error', 'code', 'errors'])
  expect(body.code).toBe('malformed_request')
  const ended = body.errors.map(({ message }) => (/\?$/.test(message) ? message : `${message}.`))
  expect(body.error).toBe([...new Set(ended)].join(' '))
  return body.errors
}

const encoded = encodeURIComponent

describe('a block that is refused', () => {
  it.each([
    ...[
      'abc',
      '1e3',
      '1.0',
      '1,000',
      '0x10',
      '+5',
      '--5',
      '5 ',
      ' 5',
      '5;',
      '٣',
      'null',
      'NaN',
      'Infinity',
      '9'.repeat(31),
    ],
    ...['9223372036854775808', '-9223372036854775809', '18446744073709551616'],
  ])('%s', async (value) => {
    for (const path of having('block')) {
      const message = `block is ${JSON.stringify(value)}; ${aLong}`
      expect(await faultsOf(path, `block=${encoded(value)}`)).toEqual([{ param: 'block', message }])
    }
  })

  it('is not one that merely no chain has, such as -1', async () => {
    for (const operation of operations.filter(({ filters }) => 'block' in filters)) {
      for (const block of ['-1', '0', '9223372036854775807', '-9223372036854775808']) {
        expect(await compareEnds(server, operation, { block })).toBe(0)
      }
    }
  })
})

describe('a location that is refused', () => {
  it.each([
    ...['abc', '8c2a02d9e5121ff', '0x8c2a02d9e5121ff', '6.3e17', '0', '1', '-1', '-631280284262249471', ' ,'],
    ...[
      '9223372036854775807',
      '9223372036854775808',
      '9'.repeat(40),
      '631280284262249471,631280284262249471',
    ],
    // An edge instead of a cell.
    '1207740997302190079',
  ])('%s', async (value) => {
    for (const filter of ['iot_location', 'mobile_location']) {
      const message = `${filter} is ${JSON.stringify(value)}; ${aCell}`
      expect(await faultsOf('/l2/hotspots', `${filter}=${encoded(value)}`)).toEqual([
        { param: filter, message },
      ])
    }
  })
})

describe('a location that may have been a cell before it was rounded', () => {
  it.each([
    // What JSON.parse and JSON.stringify make of 631280284262249471, and the double that is nearest to it.
    ...['631280284262249500', '631280284262249472'],
    // A digit of no child, one that is set beyond the resolution, and base cell 122.
    ...['631280284262249470', '631280284262249468', '635552222703484927'],
  ])('%s is refused with the advice to use integers=string', async (value) => {
    const hint = '; this one may have been rounded by a JSON reader, and integers=string gives cells as text'
    for (const param of ['iot_location', 'mobile_location']) {
      const message = `${param} is "${value}"; ${aCell}${hint}`
      expect(await faultsOf('/l2/hotspots', `${param}=${value}`)).toEqual([{ param, message }])
    }
  })
})

describe('a time that is refused', () => {
  it.each([
    'yesterday',
    '2021-02-29',
    '2021-13-01',
    '160000003',
    '2021-01-01T25:00',
    '2021',
    '2021-01',
    'T00:00',
    "2021-01-01'--",
  ])('%s, as from and as to, each alone', async (value) => {
    for (const path of having('from')) {
      for (const param of ['from', 'to']) {
        const message = `${param} is ${JSON.stringify(value)}; ${aTime}`
        expect(await faultsOf(path, `${param}=${encoded(value)}`)).toEqual([{ param, message }])
      }
    }
  })

  it.each([
    ['2021-01-02', '2021-01-01'],
    ['2021-01-01', '2021-01-01'],
    ['2021-01-01T00:00:00Z', '2021-01-01T02:00:00+02:00'],
    ['2021-01-01T00:00:00.000000000002Z', '2021-01-01T00:00:00.000000000001Z'],
  ])('from %s to %s, and both are named', async (from, to) => {
    const message = `from is "${from}" and to is "${to}"; from must be before to`
    for (const path of having('from')) {
      expect(await faultsOf(path, `from=${encoded(from)}&to=${encoded(to)}`)).toEqual([
        { param: 'from', message },
        { param: 'to', message },
      ])
    }
  })
})

describe('networks', () => {
  const hotspots = operations.find(({ table }) => table === 'hotspots') as ListOperation

  it('may have blanks around them', async () => {
    const { text } = await server.get('/l2/hotspots?networks=%20iot%20,%09mobile%20')
    expect(text).toBe((await server.get('/l2/hotspots?networks=iot,mobile')).text)
  })

  it.each([
    ['IOT', 'is "IOT"', '; did you mean iot?'],
    ['mobil', 'is "mobil"', '; did you mean mobile?'],
    ['iot,nobody', 'has "nobody"', ''],
    ['nobody,mobile', 'has "nobody"', ''],
    ['iot,', 'has ""', ''],
    [',', 'has ""', ''],
    ['iot mobile', 'is "iot mobile"', '; did you mean iot?'],
    ['["iot"]', 'is "[\\"iot\\"]"', ''],
  ])('that do not exist are refused: %s', async (networks, what, hint) => {
    const message = `networks ${what}; use one of ${everyNetwork.join(', ')}${hint}`
    expect(await faultsOf('/l2/hotspots', `networks=${encoded(networks)}`)).toEqual([
      { param: 'networks', message },
    ])
  })

  it('may form a very long list', async () => {
    const networks = `${'mobile,'.repeat(1000)}mobile`
    expect(await compareEnds(server, hotspots, { networks })).toBe(
      await compareEnds(server, hotspots, { networks: 'mobile' }),
    )
  })
})

describe('every list', () => {
  it.each(each)('of %s refuses each parameter that is repeated or has a NUL', async (path, { filters }) => {
    for (const param of [...Object.keys(filters), 'page', 'per_page', 'integers', 'as_of']) {
      const twice = `${param} is given 2 times; give it once`
      expect(await faultsOf(path, `${param}=1&${param}=1`)).toEqual([{ param, message: twice }])
      const nul = `${param} contains a NUL character; remove it`
      expect(await faultsOf(path, `${param}=a%00`)).toEqual([{ param, message: nul }])
    }
  })

  it.each(each)('of %s refuses a page or a page size out of range', async (path) => {
    for (const value of ['0', '-1', '1.5', 'abc', '1e3', '9007199254741', '9'.repeat(40)]) {
      const message = `page is "${value}"; use a whole number from 1 to 9007199254740`
      expect(await faultsOf(path, `page=${value}`)).toEqual([{ param: 'page', message }])
    }
    for (const value of ['0', '-1', '101', 'abc', '2.5', '1e1']) {
      const message = `per_page is "${value}"; use a whole number from 1 to 100`
      expect(await faultsOf(path, `per_page=${value}`)).toEqual([{ param: 'per_page', message }])
    }
    const { status, text } = await server.get(`${path}?page=9007199254740&per_page=100`)
    expect([status, text]).toEqual([
      200,
      expect.stringContaining('"next_page":null,"prev_page":9007199254739}'),
    ])
  })

  it.each([
    ['/l1/gateways', 'adress', 'did you mean address?'],
    ['/l1/gateways', 'owner', 'did you mean owner_address?'],
    ['/l1/gateways', 'payer', 'did you mean payer_address?'],
    ['/l1/gateways', 'location', 'did you mean location_hex?'],
    ['/l1/packets', 'hash', 'did you mean transaction_hash?'],
    ['/l1/packets', 'gateway', 'did you mean gateway_address?'],
    ['/l1/rewards', 'account', 'did you mean account_address?'],
    ['/l1/transaction-actors', 'role', 'did you mean actor_role?'],
    ['/l1/transactions', 'blocks', 'did you mean block?'],
    ['/l1/transactions', 'Type', 'did you mean type?'],
    ['/l2/hotspots', 'network', 'did you mean networks?'],
    ['/l2/hotspots', 'maker', 'did you mean maker_id?'],
    ['/l2/makers', 'name', 'use page, per_page, format, columns, locale, integers, as_of'],
    ['/l1/accounts', 'block', 'use address, page, per_page, format, columns, locale, integers, as_of'],
  ])('%s names the unknown parameter %s: %s', async (path, param, hint) => {
    const message = `${param} is not a parameter here; ${hint}`
    expect(await faultsOf(path, `${param}=1`)).toEqual([{ param, message }])
  })

  it.each(each.filter(([, { filters }]) => Object.keys(filters).length > 0))(
    'of %s answers any filter value without internal details',
    async (path, { filters }) => {
      const values = [
        ...[
          "' OR '1'='1",
          "'; DROP TABLE l1_accounts;--",
          '" OR ""="',
          '$1',
          '?',
          '\\',
          '%',
          '_%',
          '*',
          '{}',
          '[]',
        ],
        ...[
          "') UNION SELECT * FROM read_csv('/etc/passwd')--",
          "1;ATTACH '/tmp/x'",
          '`id`',
          '$(id)',
          '{{7*7}}',
        ],
        ...[
          '../../etc/passwd',
          '/etc/passwd',
          'file:///etc/passwd',
          '<script>alert(1)</script>',
          '\u202e',
          '\ufeff',
          '𝄞',
          '\n',
          'x'.repeat(7000),
        ],
      ]
      for (const [at, filter] of Object.keys(filters).entries()) {
        // Each filter has other values than the one before it; all of them in the slow tier.
        for (const value of values.filter((_, place) => (place + at) % scaled(8, 1) === 0)) {
          const { status, text } = await server.get(`${path}?${filter}=${encoded(value)}`)
          expect([200, 422], `${filter}=${value}: ${text.slice(0, 200)}`).toContain(status)
          const isEmpty = text.startsWith('{"meta":{"count":0,"total_pages":1,')
          const isBlank = value.trim() === ''
          if (status === 200) expect(isEmpty, `${filter}=${value}`).toBe(!isBlank)
          expect(text.replace(JSON.stringify(value).slice(1, -1), '')).not.toMatch(
            status === 200 ? /:\/\// : /node_modules|duckdb|parquet|zod/,
          )
          expect(text.length).toBeLessThan(isBlank ? 100_000 : 1000)
        }
      }
    },
  )
})

describe('every lookup', () => {
  const looked = operations.flatMap(({ path, lookup }) =>
    lookup === undefined ? [] : [[path, lookup.kind] as const],
  )

  it.each(looked)('in %s takes integers and as_of and no other parameter', async (path, kind) => {
    for (const param of ['page', 'per_page', 'address', 'zzzz']) {
      const message = `${param} is not a parameter here; use integers, as_of`
      expect(await faultsOf(`${path}/x`, `${param}=1`)).toEqual([{ param, message }])
    }
    expect(await faultsOf(`${path}/x`, 'integers=text&integers=text')).toHaveLength(1)
    const { status, text } = await server.get(`${path}/x?as_of=nothing`)
    expect([status, JSON.parse(text).errors.length]).toEqual([422, 1])
    const blank = await server.get(`${path}/x?integers=&as_of=%20`)
    expect([blank.status, blank.text]).toEqual([404, `{"error":"${kind} not found","code":"not_found"}`])
  })

  it.each(looked)('in %s by an empty id, or one with a slash, returns 404', async (path, kind) => {
    const { status, text } = await server.get(`${path}//`)
    expect([status, text]).toEqual([404, `{"error":"${kind} not found","code":"not_found"}`])
    for (const below of ['/x/y', '///', '/x//', '/a/b/c']) {
      const reply = await server.get(path + below)
      const error = `There is no GET /v1/net${path}${below}; the operations are listed at /.`
      expect([reply.status, JSON.parse(reply.text)]).toEqual([404, { error, code: 'not_found' }])
    }
  })

  it.each(looked)('in %s accepts only GET and HEAD', async (path) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const { statusCode, body, headers } = await server.server.inject({ method, url: `/v1/net${path}/x` })
      const error = `/v1/net${path}/x is asked with GET or HEAD, not with ${method}.`
      expect([statusCode, JSON.parse(body)]).toEqual([405, { error, code: 'method_not_allowed' }])
      expect(headers.allow).toBe('GET, HEAD, OPTIONS')
    }
  })

  it.each(['/l1/packets', '/l1/rewards', '/l1/dc-burns', '/l1/transaction-actors'])(
    'below %s returns 404, because the list has no lookup',
    async (path) => {
      const { status, text } = await server.get(`${path}/x`)
      expect(status).toBe(404)
      expect(JSON.parse(text).error).toBe(`There is no GET /v1/net${path}/x; the operations are listed at /.`)
    },
  )
})
