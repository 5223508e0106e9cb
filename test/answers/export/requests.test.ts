import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { relay } from '../../../src/doors/dialect/relay.ts'
import { fileFormats, readers } from '../../support/export/read-files.ts'
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

const path = '/v1/net/l2/iot-reward-shares'
const days = ['2025-01-10', '2025-01-31', '2025-02-01', '2025-02-10']
const range = 'from=2025-01-01&to=2025-03-01'
const most = 2n ** 64n - 1n

const files = {
  'iot/iot_reward_share.1.gz': days.flatMap((day, index) => [
    iotShare({
      ...dayBefore(day),
      reward_type: 'gateway_reward',
      hotspot_key: hotspot(1).raw,
      beacon_amount: index === 0 ? most : 2n ** 63n,
      witness_amount: 1n,
      dc_transfer_amount: 20n,
    }),
    iotShare({ ...dayBefore(day), reward_type: 'operational_reward', amount: 5n }),
  ]),
  'iot/network_reward_manifest_v1.2.gz': [
    manifest({
      written_files: ['iot_reward_share.1.gz'],
      reward_type: 'iot',
      token: 'iot_reward_token_main',
      epoch: 20_100n,
      price: 250_000_000n,
    }),
  ],
}

let lake: MadeLake
let server: TestServer

beforeAll(async () => {
  lake = await makeLake(files)
  server = await buildTestServer(lake.folder, 60_000, undefined, { answerMemoryMb: 1 })
})

afterAll(async () => {
  await server.close()
})

const ask = (query: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  server.server.inject({ method, url: `${path}?${range}${query}`, headers })

describe('the address of a list as files', () => {
  const filesOf = (query: string) =>
    server.server.inject(`/v1/net/files/l2/iot-reward-shares?${range}${query}`)

  it.each(fileFormats)('gives the file of the list in %s, with its headers', async (format) => {
    const query = `&format=${format}&columns=day,amount&coverage=true&integers=string`
    const [file, list] = [await filesOf(query), await ask(query)]
    expect([list.statusCode, file.rawPayload.equals(list.rawPayload)]).toEqual([200, true])
    const names = ['content-type', 'etag', 'ledgerlake-rows', 'ledgerlake-coverage', 'content-disposition']
    for (const name of names) expect([name, file.headers[name]]).toEqual([name, list.headers[name]])
  })

  it.each(['', '&format=json'])('requires a format, and returns no page: %s', async (query) => {
    const { statusCode, body } = await filesOf(query)
    const message = `format is required; use ${fileFormats.join(', ')}`
    expect([statusCode, JSON.parse(body).errors]).toEqual([422, [{ param: 'format', message }]])
  })
})

describe('a whole list', () => {
  it('has amounts beyond 2^63, computed columns, and nulls', async () => {
    const columns =
      'hotspot_key,beacon_amount,amount,day,epoch,token,price_usd,formatted_beacon_amount,earned,usd'
    const { body } = await ask(`&format=csv&reward_type=gateway_reward&columns=${columns}`)
    const first = `${hotspot(1).text},18446744073709551615,,2025-01-09,20100,iot_reward_token_main,2.5`
    // 2^64 - 1 + 1 + 20 units of 10^-8, at 2.5 USD.
    expect(body.split('\n').slice(0, 2)).toEqual([
      columns,
      `${first},184467440737.09551615,18446744073709551636,461168601842.7387909`,
    ])
  })

  it.each(['parquet', 'arrow'])('has amounts of 64 bits without a sign in %s', async (format) => {
    const { rawPayload } = await ask(
      `&format=${format}&columns=beacon_amount,amount&reward_type=gateway_reward`,
    )
    const rows = await readers[format]?.(rawPayload)
    expect(rows?.map(({ beacon_amount }) => beacon_amount)).toEqual([
      String(most),
      ...Array(3).fill(String(2n ** 63n)),
    ])
    expect(rows?.map(({ amount }) => amount)).toEqual([null, null, null, null])
  })

  it.each(['parquet', 'arrow'])(
    'returns 422 in %s if a sum exceeds the type of its column',
    async (format) => {
      const { statusCode, body } = await ask(`&format=${format}`)
      expect((await ask(`&format=${format}`, {}, 'HEAD')).statusCode).toBe(422)
      expect([statusCode, JSON.parse(body).error]).toEqual([
        422,
        'The column earned has the value 18446744073709551636 in units of its last digit, for which this format has no room (64 bits); leave the column out, or ask for csv or ndjson.',
      ])
    },
  )

  it('writes 64-bit integers as strings with integers=string, in NDJSON', async () => {
    const columns = 'ordinal,beacon_amount,amount,earned'
    const lines = async (more: string) =>
      (await ask(`&format=ndjson&columns=${columns}${more}`)).body.split('\n')
    expect((await lines('&integers=string'))[0]).toBe(
      '{"ordinal":"0","beacon_amount":"18446744073709551615","amount":null,"earned":"18446744073709551636"}',
    )
    expect((await lines(''))[0]).toBe(
      '{"ordinal":0,"beacon_amount":18446744073709551615,"amount":null,"earned":18446744073709551636}',
    )
  })

  it.each([
    ['text/csv', 'text/csv; charset=utf-8; header=present'],
    ['application/x-ndjson', 'application/x-ndjson; charset=utf-8'],
    ['application/vnd.apache.parquet', 'application/vnd.apache.parquet'],
    ['application/json;q=0.5, application/vnd.apache.arrow.stream', 'application/vnd.apache.arrow.stream'],
    ['*/*', 'application/json; charset=utf-8'],
    ['application/json, text/plain, */*', 'application/json; charset=utf-8'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json; charset=utf-8'],
    ['application/pdf', 'application/json; charset=utf-8'],
    ['text/csv;q=0', 'application/json; charset=utf-8'],
  ])('is chosen by Accept: %s', async (accept, type) => {
    const { statusCode, headers } = await ask('&reward_type=operational_reward', { accept })
    expect([statusCode, headers['content-type']]).toEqual([200, type])
    expect(headers.vary).toMatch(/\baccept\b(?!-)/i)
  })

  it('prefers format to Accept', async () => {
    expect((await ask('&format=csv', { accept: 'application/x-ndjson' })).headers['content-type']).toMatch(
      /^text\/csv/,
    )
    const page = await ask('&format=json&per_page=1', { accept: 'text/csv' })
    expect(page.headers['content-type']).toMatch(/^application\/json/)
  })

  it('has all headers before its first byte, and HEAD has the same', async () => {
    const got = await ask('&format=csv')
    const named = [
      'ledgerlake-rows',
      'ledgerlake-snapshot',
      'content-disposition',
      'content-type',
      'etag',
      'vary',
    ]
    const told = ({ headers }: typeof got) => named.map((name) => headers[name])
    expect(got.headers).toMatchObject({
      'ledgerlake-rows': '8',
      'content-disposition': 'attachment; filename="iot_reward_shares_2025-01-01_2025-03-01.csv"',
    })
    expect(got.headers['content-length']).toBeUndefined()
    const head = await ask('&format=csv', {}, 'HEAD')
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect(told(head)).toEqual(told(got))
  })

  it('returns 304 without work, with its own ETag for each format and choice of columns', async () => {
    const queries = [
      '&format=csv',
      '&format=ndjson',
      '&format=ndjson&integers=string',
      '&format=csv&columns=id',
      '',
    ]
    const tags = await Promise.all(queries.map(async (query) => (await ask(query)).headers.etag as string))
    expect(new Set(tags).size).toBe(queries.length)
    const before = server.engine.work().statements
    for (const [index, query] of queries.entries()) {
      const again = await ask(query, { 'if-none-match': tags[index] as string })
      expect([again.statusCode, again.body]).toEqual([304, ''])
    }
    expect(server.engine.work().statements).toBe(before)
    expect((await ask('&format=csv', { 'if-none-match': tags[1] as string })).statusCode).toBe(200)
  })

  it('is compressed as other replies are, but for Parquet', async () => {
    const gzip = { 'accept-encoding': 'gzip' }
    for (const format of ['csv', 'ndjson', 'arrow'])
      expect((await ask(`&format=${format}&columns=id`, gzip)).headers['content-encoding']).toBe('gzip')
    expect((await ask('&format=parquet&columns=id', gzip)).headers['content-encoding']).toBeUndefined()
  })

  it.each([
    ['format=xlsx', `format is "xlsx"; use one of json, ${fileFormats.join(', ')}`],
    [
      'format=parket',
      `format is "parket"; use one of json, ${fileFormats.join(', ')}; did you mean parquet?`,
    ],
    ['format=csv&page=2', 'page is of pages; csv is given as a whole, so leave it out'],
    ['format=csv&columns=id,beacon_amounts', 'did you mean beacon_amount?'],
    ['format=csv&columns=id,id', 'columns has "id" twice; name it once'],
    ['format=csv&columns=id,', 'columns has ""; use one of id, source_file,'],
    [
      'columns=id',
      `columns needs a file format; leave it out, or add one of ${fileFormats.map((name) => `format=${name}`).join(', ')}`,
    ],
  ])('refuses %s', async (query, sentence) => {
    const { statusCode, body, headers } = await ask(`&${query}`)
    expect(statusCode).toBe(422)
    expect(JSON.parse(body).error).toContain(sentence)
    expect(headers['ledgerlake-rows']).toBeUndefined()
  })

  it('refuses a page in a format that Accept names', async () => {
    const { statusCode, body } = await ask('&per_page=5', { accept: 'text/csv' })
    expect([statusCode, JSON.parse(body).errors]).toEqual([
      422,
      [{ param: 'per_page', message: 'per_page is of pages; csv is given as a whole, so leave it out' }],
    ])
  })

  it('is empty if no row matches', async () => {
    const { body, headers } = await server.server.inject(
      `${path}?from=2030-01-01&to=2031-01-01&format=csv&columns=id,usd`,
    )
    expect([body, headers['ledgerlake-rows']]).toEqual(['id,usd\n', '0'])
  })

  it('answers as of an older snapshot', async () => {
    const own = await makeLake(files)
    const served = await buildTestServer(own.folder)
    const first = await served.server.inject(`${path}?${range}&format=csv`)
    await served.close()
    await own.add({
      'iot/iot_reward_share.9.gz': [
        iotShare({
          ...dayBefore('2025-02-11'),
          reward_type: 'gateway_reward',
          hotspot_key: hotspot(2).raw,
          beacon_amount: 1n,
        }),
      ],
    })
    const again = await buildTestServer(own.folder)
    const asOf = `&as_of=${first.headers['ledgerlake-snapshot']}`
    const older = await again.server.inject(`${path}?${range}&format=csv${asOf}`)
    expect((await again.server.inject(`${path}?${range}&format=csv`)).headers['ledgerlake-rows']).toBe('9')
    expect(older.body).toBe(first.body)
    await again.close()
  })

  it('is the same under --compat relay, whose pages do not change', async () => {
    const served = await buildTestServer(lake.folder, 60_000, undefined, { dialect: relay })
    const bodyOf = async (inject: TestServer['server'], query: string, headers = {}) =>
      (await inject.inject({ url: `${path}?${range}${query}`, headers })).body
    const file = await bodyOf(server.server, '&format=csv&columns=id')
    expect(await bodyOf(served.server, '&format=csv&columns=id')).toBe(file)
    expect(await bodyOf(served.server, '&columns=id', { accept: 'text/csv' })).toBe(file)
    // As axios asks.
    const accept = 'application/json, text/plain, */*'
    expect(await bodyOf(served.server, '', { accept })).toBe(await bodyOf(served.server, ''))
    await served.close()
  })
})

describe('with keys a whole list', () => {
  it('uses one request of the quota, and returns 402 before any row if none is left', async () => {
    const gated = await gatedServer(lake.folder)
    const key = await gated.newKey({ quotaPer30Days: 1 })
    expect((await gated.ask(`${path}?${range}&format=csv`, key)).status).toBe(200)
    const { status, headers } = await gated.ask(`${path}?${range}&format=csv`, key)
    expect([status, headers['ledgerlake-rows']]).toEqual([402, undefined])
  })

  it('reads no further back than the key may', async () => {
    const gated = await gatedServer(lake.folder)
    const key = await gated.newKey({ lookbackDays: 1 })
    const { text, headers } = await gated.ask(`${path}?${range}&format=csv&columns=id`, key)
    expect([text, headers['ledgerlake-rows']]).toEqual(['id\n', '0'])
  })
})

describe('the work of a whole list', () => {
  const work = async (query: string) => {
    const before = server.engine.work()
    expect((await ask(`&format=csv${query}`)).statusCode).toBe(200)
    const { statements, files: read, columns } = server.engine.work()
    return {
      statements: statements - before.statements,
      files: read - before.files,
      columns: columns - before.columns,
    }
  }

  it('is one statement over the files of the range', async () => {
    expect(await work('')).toMatchObject({ statements: 1, files: 2 })
  })

  it('runs no statement for columns that the log has', async () => {
    expect(await work('&columns=source_file,reward_type,end_period,epoch,token,price_usd')).toMatchObject({
      statements: 0,
    })
  })

  it('reads the requested columns and those that ids need', async () => {
    expect(await work('&columns=beacon_amount')).toMatchObject({ statements: 1, columns: 1 })
    expect(await work('&columns=id')).toMatchObject({ statements: 1, columns: 1 })
  })
})
