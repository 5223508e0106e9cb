import { readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readExact } from '../../support/exact-json.ts'
import {
  dayBefore,
  hotspot,
  iotReward,
  type MadeLake,
  makeLake,
  mobileShare,
} from '../../support/lakes/make-lake.ts'
import { askConnection, askGraphql } from '../../support/servers/ask-graphql.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const most = 2n ** 64n - 1n
const files = {
  'iot/iot_reward_share.1.gz': [1, 2, 3].map((number) =>
    iotReward('2025-01-10', number, { beacon_amount: most - BigInt(number) }),
  ),
  'mobile/mobile_reward_share.1.gz': [
    mobileShare({
      ...dayBefore('2025-01-10'),
      reward_type: 'radio_reward_v2',
      hotspot_key: hotspot(1).raw,
      base_reward_shares: '12345678901234567890.0000000000000000000000001234',
      speedtest_multiplier: '0.1',
    }),
  ],
}

let lake: MadeLake
let server: TestServer

beforeAll(async () => {
  lake = await makeLake(files)
  server = await buildTestServer(lake.folder)
})

/** The sentence and status of a query that must fail without data. */
async function refusal(query: string, variables: Readonly<Record<string, unknown>> = {}) {
  const { status, data, errors } = await askGraphql(server.server, query, variables)
  expect(data ?? null).toBeNull()
  expect(errors).toHaveLength(1)
  expect(errors[0]?.extensions.code).toBe('malformed_request')
  return { status, message: errors[0]?.message }
}

describe('status and echo', () => {
  it('answer without a list being read', async () => {
    const message = 'a "b" \\ é \u{1d11e}\n'
    const { status, data } = await askGraphql(
      server.server,
      'query ($m: String!) { status echo(message: $m) }',
      { m: message },
    )
    expect([status, data]).toEqual([200, { status: 'ok', echo: message }])
  })

  it('refuse a message of more than 100,000 characters', async () => {
    const echo = 'query ($m: String!) { echo(message: $m) }'
    expect((await askGraphql(server.server, echo, { m: 'x'.repeat(100_000) })).errors).toEqual([])
    expect(await refusal(echo, { m: 'x'.repeat(100_001) })).toEqual({
      status: 200,
      message: 'message has 100001 characters; the limit is 100000.',
    })
  })

  it('answer over an empty lake, although lists return not_ready', async () => {
    const empty = await buildTestServer(await temporaryFolder())
    expect((await askGraphql(empty.server, '{ status }')).text).toBe('{"data":{"status":"ok"}}')
    const { status, errors, data } = await askGraphql(
      empty.server,
      '{ status iotRewardShares { nodes { id } } }',
    )
    expect([status, data, errors[0]?.extensions.code]).toEqual([200, null, 'not_ready'])
    expect(errors[0]?.message).toBe(
      'Nothing has been ingested yet; use: ledgerlake ingest PATH... --lake DIR',
    )
  })
})

describe('values', () => {
  it('keep every digit: integers as text, decimals as numbers', async () => {
    const { text } = await askGraphql(
      server.server,
      '{ iotRewardShares(first: 1) { nodes { beaconAmount } } mobileRewardShares { nodes { baseRewardShares speedtestMultiplier } } }',
    )
    expect(text).toBe(
      '{"data":{"iotRewardShares":{"nodes":[{"beaconAmount":"18446744073709551614"}]},' +
        '"mobileRewardShares":{"nodes":[{"baseRewardShares":12345678901234567890.0000000000000000000000001234,"speedtestMultiplier":0.1}]}}}',
    )
  })

  it('of only the selected fields are returned, with the id of their snapshot in a header', async () => {
    const { text, headers } = await askGraphql(
      server.server,
      '{ a: iotRewardShares(last: 1) { nodes { amount } } }',
    )
    expect(text).toBe('{"data":{"a":{"nodes":[{"amount":null}]}}}')
    expect(headers['ledgerlake-snapshot']).toMatch(/^idp0ooc0-[0-9a-f]{12}$/)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })
})

describe('arguments', () => {
  const cursors = [
    'x',
    'MQ',
    'e30',
    Buffer.from('["iot_reward_shares"]').toString('base64url'),
    Buffer.from('["mobile_reward_shares","1","gateway_reward","a",null,"1"]').toString('base64url'),
    Buffer.from('["iot_reward_shares","01","gateway_reward","a",null,"1"]').toString('base64url'),
    Buffer.from('["iot_reward_shares","1","gateway_reward","a",null,null]').toString('base64url'),
    Buffer.from('["iot_reward_shares","99999999999999999999","gateway_reward","a",null,"1"]').toString(
      'base64url',
    ),
    Buffer.from('["iot_reward_shares","1","gateway_reward","a\\u0000",null,"1"]').toString('base64url'),
    Buffer.from('["iot_reward_shares", "1","gateway_reward","a",null,"1"]').toString('base64url'),
  ]

  it.each(cursors)('refuse %s, which is not a cursor', async (cursor) => {
    expect(await refusal(`{ iotRewardShares(after: "${cursor}") { nodes { id } } }`)).toEqual({
      status: 200,
      message: `after is ${JSON.stringify(cursor.length > 80 ? `${cursor.slice(0, 80)}…` : cursor)}; use a cursor from a reply of iotRewardShares.`,
    })
  })

  it('refuse a cursor of another list', async () => {
    const { pageInfo } = await askConnection(server.server, 'mobileRewardShares', 'id')
    const { message } = await refusal(`{ iotRewardShares(before: "${pageInfo.endCursor}") { nodes { id } } }`)
    expect(message).toMatch(/^before is "\S+…"; use a cursor from a reply of iotRewardShares\.$/)
  })

  it('accept a cursor for a position without a row', async () => {
    const cursor = Buffer.from('["iot_reward_shares","-5","","",null,"-1"]').toString('base64url')
    expect(
      (await askConnection(server.server, `iotRewardShares(after: "${cursor}")`, 'id')).nodes,
    ).toHaveLength(3)
    expect((await askConnection(server.server, `iotRewardShares(before: "${cursor}")`, 'id')).nodes).toEqual(
      [],
    )
    expect(
      (
        await askConnection(
          server.server,
          `iotRewardShares(after: "${cursor}", hotspotKey: "${hotspot(1).text}")`,
          'id',
        )
      ).nodes,
    ).toHaveLength(1)
  })

  it.each([
    ['first: -1', 'first is -1; use a whole number, 0 or more.'],
    ['last: -7', 'last is -7; use a whole number, 0 or more.'],
    [
      'startPeriod: "2025-01-10", endPeriod: "2025-01-10"',
      'startPeriod is "2025-01-10" and endPeriod is "2025-01-10"; startPeriod must be before endPeriod.',
    ],
    [
      'startPeriod: "2025-01-10T00:00:00Z", endPeriod: "2025-01-10T01:00:00+02:00"',
      'startPeriod is "2025-01-10T00:00:00Z" and endPeriod is "2025-01-10T01:00:00+02:00"; startPeriod must be before endPeriod.',
    ],
    [
      'first: -1, last: -2, after: "x", before: "y", startPeriod: "2025-01-10", endPeriod: "2025-01-09"',
      'startPeriod is "2025-01-10" and endPeriod is "2025-01-09"; startPeriod must be before endPeriod. ' +
        'first is -1; use a whole number, 0 or more. last is -2; use a whole number, 0 or more. ' +
        'after is "x"; use a cursor from a reply of iotRewardShares. before is "y"; use a cursor from a reply of iotRewardShares.',
    ],
    ['hotspotKey: "a\\u0000b"', 'hotspotKey contains a NUL character; remove it.'],
  ])('(%s) are refused while executing', async (given, message) => {
    expect(await refusal(`{ iotRewardShares(${given}) { nodes { id } } }`)).toEqual({ status: 200, message })
  })

  it.each([
    [
      'startPeriod: "yesterday"',
      'Expected value of type "ISO8601DateTime", found "yesterday"; It is "yesterday"; use an ISO 8601 date or time such as 2026-07-01 or 2026-07-01T00:00:00Z.',
    ],
    ['first: "1"', 'Int cannot represent non-integer value: "1"'],
    ['first: 3000000000', 'Int cannot represent non 32-bit signed integer value: 3000000000'],
    [
      'frist: 1',
      'Unknown argument "frist" on field "Query.iotRewardShares". Did you mean "first" or "last"?',
    ],
  ])('(%s) are refused before anything is executed', async (given, message) => {
    expect(await refusal(`{ iotRewardShares(${given}) { nodes { id } } }`)).toEqual({ status: 200, message })
  })

  it('in variables are refused with the name of the variable', async () => {
    const query =
      'query ($s: ISO8601DateTime, $n: Int!) { iotRewardShares(startPeriod: $s, first: $n) { nodes { id } } }'
    expect(await refusal(query, { s: 'soon', n: 1 })).toEqual({
      status: 200,
      message:
        'Variable "$s" got invalid value "soon"; Expected type "ISO8601DateTime". It is "soon"; use an ISO 8601 date or time such as 2026-07-01 or 2026-07-01T00:00:00Z.',
    })
    expect(await refusal(query, {})).toEqual({
      status: 200,
      message: 'Variable "$n" of required type "Int!" was not provided.',
    })
  })

  it('that are null or blank count as not given', async () => {
    const call =
      'iotRewardShares(startPeriod: "", endPeriod: null, hotspotKey: " ", rewardType: null, first: null, after: "", before: null)'
    expect((await askConnection(server.server, call, 'id')).nodes).toHaveLength(3)
  })
})

describe('a query that is too large', () => {
  /** Twenty fields. */
  const wide = `nodes { hotspotKey cbsdId amount startPeriod endPeriod rewardType dcTransferReward pocReward subscriberId
    subscriberReward discoveryLocationAmount unallocatedRewardType serviceProviderId basePocReward boostedPocReward
    seniorityTimestamp coverageObject entity serviceProviderAmount matchedAmount }`
  const lists = (count: number, given = '') =>
    Array.from({ length: count }, (_, index) => `a${index}: mobileRewardShares${given} { ${wide} }`).join(' ')
  const fragments = (count: number) =>
    Array.from(
      { length: count },
      (_, index) => `fragment f${index} on Query { ...f${index + 1} ...f${index + 1} }`,
    ).join(' ')

  it.each([
    [
      'in characters',
      `{ status ${'\n'.repeat(100_000)} }`,
      'The query has 100011 characters; the limit is 100000; long values can be variables.',
    ],
    [
      'in brackets',
      `{ echo(message: ${'['.repeat(4_990)}`,
      'The query is nested too deep to be read; the limit is 15 fields.',
    ],
    ['in tokens', `{ ${'status '.repeat(5001)} }`, 'The query has more than 5000 tokens; the limit is 5000.'],
    ['in fields', `{ ${'status '.repeat(501)} }`, 'The query has 501 fields; the limit is 500.'],
    [
      'in aliases',
      `{ ${Array.from({ length: 31 }, (_, index) => `a${index}: status`).join(' ')} }`,
      'The query has 31 aliases; the limit is 30.',
    ],
    [
      'in depth',
      `{ __schema { types { ${'ofType { '.repeat(14)} name ${'} '.repeat(14)} } } }`,
      'The query is 17 fields deep; the limit is 15.',
    ],
    [
      'in cost',
      `{ ${lists(10)} }`,
      'The query asks for 21010 values; the limit is 20000; ask for fewer rows with first, or for fewer fields.',
    ],
    ['in lists', `{ ${lists(11, '(first: 1)')} }`, 'The query asks for 11 lists; the limit is 10.'],
    [
      'in lists that fragments bring',
      `fragment l on Query { ${lists(6, '(first: 1)')} } { ...l ... on Query { ...l } }`,
      'The query asks for 12 lists; the limit is 10.',
    ],
    [
      'in fragments that double each other',
      `${fragments(60)} fragment f60 on Query { status } { ...f0 }`,
      'The query asks for more than 1000000 values; the limit is 20000; ask for fewer rows with first, or for fewer fields.',
    ],
    [
      'in fragments that lead back to themselves',
      'fragment a on Query { ...b } fragment b on Query { ...a } { ...a }',
      'Cannot spread fragment "a" within itself via "b".',
    ],
  ])('%s is refused', async (_, query, message) => {
    expect(await refusal(query)).toEqual({ status: 200, message })
  })

  it('is allowed when first is small enough, as a number, a variable or a default', async () => {
    const many = (first: string) => lists(10, `(first: ${first})`)
    const isAnswered = async (query: string, variables = {}) =>
      (await askGraphql(server.server, query, variables)).errors.length === 0
    expect(await isAnswered(`{ ${many('95')} }`)).toBe(true)
    expect(await isAnswered(`{ ${many('96')} }`)).toBe(false)
    expect(await isAnswered(`query ($n: Int) { ${many('$n')} }`, { n: 95 })).toBe(true)
    expect(await isAnswered(`query ($n: Int = 95) { ${many('$n')} }`)).toBe(true)
    expect(await isAnswered(`query ($n: Int = 95) { ${many('$n')} }`, { n: 100 })).toBe(false)
    expect(await isAnswered(`query ($n: Int) { ${many('$n')} }`)).toBe(false)
    expect(await isAnswered(`query ($n: Int = 95) { ${many('$n')} }`, { n: null })).toBe(false)
  })
})

describe('the endpoint', () => {
  const post = (payload: string, type = 'application/json') =>
    server.server.inject({ method: 'POST', url: '/graphql', payload, headers: { 'content-type': type } })

  it.each([
    ['"x"', 'The body is a string; send an object such as {"query": "{ status }"}.'],
    ['null', 'The body is empty; send an object such as {"query": "{ status }"}.'],
    ['{}', 'There is no query; send one such as {"query": "{ status }"}.'],
    ['{"query":5}', 'query must be a string, such as {"query": "{ status }"}.'],
    ['{"query":"{status}","variables":"\\"x\\""}', 'variables must be an object, such as {"first": 10}.'],
    ['{"query":"{status}","operationName":1}', 'operationName must be a string, the name of an operation.'],
    ['{"query":"{status}","variables":[1]}', 'variables must be an object, such as {"first": 10}.'],
    ['{"query":"{status}","variables":"{"}', 'variables is "{"; send JSON such as {"first": 10}.'],
    ['{"query":"{status}","extensions":0}', 'extensions must be an object, such as {}.'],
    ['{"query":"{status}","extensions":[{}]}', 'extensions must be an object, such as {}.'],
    ['{"query":"{status}","extensions":"x"}', 'extensions is "x"; send JSON such as {}.'],
    [
      '{"query":',
      'The body cannot be read as JSON, plain and in UTF-8, without a key __proto__; send an object such as {"query": "{ status }"}.',
    ],
    ['', 'The body is empty; send an object such as {"query": "{ status }"}.'],
  ])('answers 400 to %s', async (payload, message) => {
    const reply = await post(payload)
    const body = readExact<{ errors: { message: string }[] }>(reply.body)
    expect([reply.statusCode, body.errors[0]?.message]).toEqual([400, message])
  })

  it.each([
    ['{"query":"{ nope }"}', 'Cannot query field "nope" on type "Query".'],
    ['{"query":"{ status"}', 'Syntax Error: Expected Name, found <EOF>.'],
    [
      '{"query":"query A { status } query B { status }"}',
      'The query has 2 operations: A, B; choose one with operationName.',
    ],
    ['{"query":"query A { status }","operationName":"B"}', 'operationName is "B"; the query has A.'],
    ['{"query":"mutation { status }"}', 'There is no mutation here; send a query such as { status }.'],
    [
      '{"query":"subscription { status }"}',
      'There is no subscription here; send a query such as { status }.',
    ],
  ])('returns an error that explains %s', async (payload, message) => {
    const reply = await post(payload)
    const body = readExact<{ errors: { message: string }[] }>(reply.body)
    expect([reply.statusCode, body.errors[0]?.message]).toEqual([200, message])
  })

  it.each(['text/plain', 'application/graphql', 'application/x-www-form-urlencoded'])(
    'refuses %s and names the accepted type',
    async (type) => {
      const reply = await post('{"query":"{ status }"}', type)
      expect([reply.statusCode, reply.body]).toEqual([
        400,
        `{"errors":[{"message":"The Content-Type is \\"${type}\\"; use application/json.","extensions":{"code":"malformed_request"}}]}`,
      ])
    },
  )

  it('reports the first ten errors, and shortens long names and values', async () => {
    const long = 'x'.repeat(90_000)
    const nope = Array.from({ length: 50 }, (_, index) => `${long.slice(0, 1_000)}${index}`).join(' ')
    const { errors } = await askGraphql(server.server, `{ ${nope} }`)
    expect(errors).toHaveLength(11)
    expect(errors.at(-1)?.message).toBe('More is wrong with the query; only the first faults are named.')
    const { text } = await askGraphql(
      server.server,
      'query ($n: Int) { iotRewardShares(first: $n) { nodes { id } } }',
      { n: long },
    )
    expect(text.length).toBeLessThan(700)
  })

  it('accepts variables as JSON text or blank, and chooses an operation by name', async () => {
    const query = 'query A($m: String!) { echo(message: $m) } query B { status }'
    const ask = async (body: object) => (await post(JSON.stringify(body))).body
    expect(await ask({ query, operationName: 'A', variables: '{"m":"hello"}' })).toBe(
      '{"data":{"echo":"hello"}}',
    )
    expect(await ask({ query, operationName: 'B', variables: '' })).toBe('{"data":{"status":"ok"}}')
  })

  it.each([null, '', '{"a":1}', { a: 1 }])('ignores the extensions %j', async (extensions) => {
    const reply = await post(JSON.stringify({ query: '{ status }', extensions }))
    expect([reply.statusCode, reply.body]).toEqual([200, '{"data":{"status":"ok"}}'])
  })

  it('answers queries by GET, and names the allowed methods to others', async () => {
    const got = await server.server.inject({
      url: `/graphql?${new URLSearchParams({ query: '{ status }' })}`,
    })
    expect(got.body).toBe('{"data":{"status":"ok"}}')
    const twice = await server.server.inject({ url: '/graphql?query={status}&query={status}' })
    expect([twice.statusCode, twice.body]).toEqual([
      400,
      expect.stringContaining('query is given 2 times; give it once.'),
    ])
    const odd = await server.server.inject({ url: '/graphql?qeury={status}&first=1' })
    const { errors } = readExact<{ errors: { message: string }[] }>(odd.body)
    expect([odd.statusCode, errors[0]?.message]).toEqual([
      400,
      'qeury is not a parameter here; did you mean query? ' +
        'first is not a parameter here; use query, variables, operationName, extensions, as_of.',
    ])
    const put = await server.server.inject({ method: 'PUT', url: '/graphql' })
    expect([put.statusCode, put.headers.allow]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
  })

  it('names a damaged data file within the lake, and no other internal details', async () => {
    const own = await makeLake(files)
    const broken = await buildTestServer(own.folder)
    const month = join(own.folder, 'iot_reward_shares', 'month=2025-01')
    for (const name of readdirSync(month)) truncateSync(join(month, name), 100)
    const { status, data, errors, text } = await askGraphql(
      broken.server,
      '{ status iotRewardShares { nodes { id } } }',
    )
    expect([status, data, errors[0]?.path]).toEqual([200, null, ['iotRewardShares']])
    expect(errors[0]?.extensions.code).toBe('lake_damaged')
    expect(errors[0]?.message).toMatch(
      /^iot_reward_shares\/month=2025-01\/part-[\da-f-]+\.parquet of the lake is damaged: it has 100 bytes instead of \d+\. /,
    )
    for (const inside of [own.folder, 'SELECT', '.ts:', 'node_modules']) expect(text).not.toContain(inside)
  })
})

describe('a persisted query', () => {
  const get = async (url: string) => {
    const reply = await server.server.inject({ url })
    return { status: reply.statusCode, body: readExact<Record<string, never>>(reply.body), text: reply.body }
  }
  const nodes = (body: unknown) =>
    (body as { data: { iotRewardShares: { nodes: { hotspotKey: string }[] } } }).data.iotRewardShares.nodes

  it('gives every flat field, and accepts parameters in camelCase and snake_case', async () => {
    const { status, text } = await get(
      '/graphql/iot-reward-shares?first=1&start_period=2025-01-09&endPeriod=2025-01-11',
    )
    expect(status).toBe(200)
    expect(text).toMatch(
      /^\{"data":\{"iotRewardShares":\{"nodes":\[\{"id":"[\da-f-]{36}","hotspotKey":"\w+","amount":null,"beaconAmount":"18446744073709551614","witnessAmount":"0","dcTransferAmount":"0","startPeriod":"2025-01-09T00:00:00Z","endPeriod":"2025-01-10T00:00:00Z","rewardType":"gateway_reward","unallocatedRewardType":null\}\],"pageInfo":\{"hasNextPage":true,"hasPreviousPage":false,"startCursor":"[\w-]+","endCursor":"[\w-]+"\}\}\}\}$/,
    )
    const mobile = await get('/graphql/mobile-reward-shares')
    expect(mobile.text).toContain('"ownerKey":null')
  })

  it('filters and pages like a query', async () => {
    expect(nodes((await get(`/graphql/iot-reward-shares?hotspot_key=${hotspot(2).text}`)).body)).toHaveLength(
      1,
    )
    expect(nodes((await get('/graphql/iot-reward-shares?rewardType=operational_reward')).body)).toEqual([])
    const { body } = await get('/graphql/iot-reward-shares?first=2')
    const { endCursor } = (
      body as unknown as { data: { iotRewardShares: { pageInfo: { endCursor: string } } } }
    ).data.iotRewardShares.pageInfo
    expect(nodes((await get(`/graphql/iot-reward-shares?after=${endCursor}&first=`)).body)).toHaveLength(1)
  })

  it.each([
    ['/graphql/iot-reward-shares?first=x', 'first is "x"; use a whole number.'],
    [
      '/graphql/iot-reward-shares?last=2147483648',
      'last is "2147483648"; use a whole number up to 2147483647.',
    ],
    [
      '/graphql/iot-reward-shares?constructor=1',
      'constructor is not a parameter here; use startPeriod, endPeriod, hotspotKey, rewardType, firstDay, lastDay, first, after, last, before.',
    ],
    ['/graphql/iot-reward-shares?first=1&first=2', 'first is given more than once; give it once.'],
    [
      '/graphql/iot-reward-shares?start_period=2025-01-01&startPeriod=2025-01-01',
      'startPeriod is given more than once; give it once.',
    ],
    [
      '/graphql/iot-reward-shares?endPeriod=x',
      'Variable "$endPeriod" got invalid value "x"; Expected type "ISO8601DateTime". It is "x"; use an ISO 8601 date or time such as 2026-07-01 or 2026-07-01T00:00:00Z.',
    ],
  ])('answers 400 to %s', async (url, message) => {
    const { status, body } = await get(url)
    expect([status, (body as unknown as { errors: { message: string }[] }).errors[0]?.message]).toEqual([
      400,
      message,
    ])
  })

  it('accepts numbers as large as a query does', async () => {
    expect(nodes((await get('/graphql/iot-reward-shares?first=2147483647')).body)).toHaveLength(3)
  })

  it('names every wrong parameter at once', async () => {
    const { status, body } = await get('/graphql/iot-reward-shares?frist=1&last=2.5&hotspotKeys=a')
    const [error] = (body as unknown as { errors: { extensions: { errors: { param: string }[] } }[] }).errors
    expect([status, error?.extensions.errors.map(({ param }) => param)]).toEqual([
      400,
      ['frist', 'hotspotKeys', 'last'],
    ])
  })

  it('that does not exist is 404', async () => {
    expect((await get('/graphql/hotspots')).status).toBe(404)
  })
})
