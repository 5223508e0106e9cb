import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readExpected } from '../../support/fixtures.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { query, rowsOf, sharingOf, sumOf, tables } from '../../support/servers/sharing.ts'
import { some } from '../../support/some.ts'
import { filledLists, otherTables } from '../../support/specified.ts'
import { addedFiles, readEntries } from '../../support/tables/delta-table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let lake: string
let server: TestServer['server']

beforeAll(async () => {
  lake = await smallLake()
  server = (await buildTestServer(lake, 60_000, undefined, sharingOf(lake))).server
})

const get = (path: string, headers: Record<string, string> = {}) =>
  server.inject({ url: `/delta-sharing${path}`, headers })

const names = [...filledLists, ...otherTables].map(({ table }) => table).sort()

/** What the first entry of a log says, read by the tests alone. */
const metaDataOf = (table: string) =>
  some(readEntries(join(lake, table))).flatMap(({ actions }) =>
    actions.flatMap((action) => ('metaData' in action ? [action.metaData] : [])),
  )[0] as { id: string; schemaString: string }

const tableItem = (name: string) => ({
  ...{ name, schema: 'default', share: 'ledgerlake' },
  id: metaDataOf(name).id,
})

describe('shares, schemas and tables', () => {
  it('are one share, one schema, and every table of the lake', async () => {
    const replies = await Promise.all(
      [
        '/shares',
        '/shares/ledgerlake',
        '/shares/ledgerlake/schemas',
        '/shares/ledgerlake/schemas/default/tables',
        '/shares/ledgerlake/all-tables',
      ].map((path) => get(path)),
    )
    expect(replies.map((reply) => [reply.statusCode, reply.headers['content-type']])).toEqual(
      Array.from({ length: 5 }, () => [200, 'application/json; charset=utf-8']),
    )
    const items = names.map(tableItem)
    expect(replies.map((reply) => reply.json())).toEqual([
      { items: [{ name: 'ledgerlake' }] },
      { share: { name: 'ledgerlake' } },
      { items: [{ name: 'default', share: 'ledgerlake' }] },
      { items },
      { items },
    ])
  })

  it('are listed in pages, each with the token of the next', async () => {
    const found: string[] = []
    let token = ''
    let pages = 0
    do {
      const reply = (await get(`/shares/ledgerlake/all-tables?maxResults=5&pageToken=${token}`)).json()
      found.push(...reply.items.map(({ name }: { name: string }) => name))
      token = reply.nextPageToken ?? ''
      pages += 1
    } while (token !== '')
    expect([pages, found]).toEqual([3, names])
    const none = (await get('/shares?maxResults=0')).json()
    expect([none.items, typeof none.nextPageToken]).toEqual([[], 'string'])
  })

  it('are found by names in any case', async () => {
    const reply = await get('/shares/LedgerLake/schemas/DEFAULT/tables/Makers/version')
    expect([reply.statusCode, reply.headers['delta-table-version'], reply.body]).toEqual([200, '0', ''])
  })

  it('of an empty lake are none', async () => {
    const empty = await temporaryFolder()
    const other = await buildTestServer(empty, 60_000, undefined, sharingOf(empty))
    const reply = await other.server.inject('/delta-sharing/shares/ledgerlake/all-tables')
    expect([reply.statusCode, reply.json()]).toEqual([200, { items: [] }])
  })
})

describe('a table', () => {
  it('returns its version to HEAD, as older clients request it', async () => {
    const reply = await server.inject({ method: 'HEAD', url: `${tables}/makers` })
    expect([reply.statusCode, reply.headers['delta-table-version'], reply.body]).toEqual([200, '0', ''])
  })

  it('returns the lines of the protocol, built from its log', async () => {
    const table = 'iot_reward_shares'
    const { id, schemaString } = metaDataOf(table)
    const added = addedFiles(join(lake, table))
    expect(added).toHaveLength(2)
    const size = added.reduce((sum, file) => sum + file.size, 0)
    const head = [
      '{"protocol":{"minReaderVersion":1}}',
      `{"metaData":{"id":"${id}","name":"iot_reward_shares","description":"One reward for one period on the IoT network.",` +
        `"format":{"provider":"parquet"},"schemaString":${JSON.stringify(schemaString)},"partitionColumns":["month"],` +
        `"size":${size},"numFiles":2}}`,
    ]
    const metadata = await get(`/shares/ledgerlake/schemas/default/tables/${table}/metadata`)
    expect(metadata.body).toBe(`${head.join('\n')}\n`)
    expect(metadata.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'delta-table-version': '0',
    })
    const { lines, headers, files } = await query(server, table)
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'delta-table-version': '0',
    })
    expect(lines.slice(0, 2)).toEqual(head)
    const plain = lines
      .slice(2)
      .map((line) =>
        line
          .replace(/"url":"[^"]*"/, '"url":""')
          .replace(/"(id|expirationTimestamp)":("[0-9a-f]{32}"|\d{13})/g, '"$1":0'),
      )
    expect(plain).toEqual(
      added.map(
        ({ partitionValues, size, stats }) =>
          `{"file":{"url":"","id":0,"partitionValues":${JSON.stringify(partitionValues)},"size":${size},` +
          `"stats":${JSON.stringify(stats)},"expirationTimestamp":0}}`,
      ),
    )
    expect(new Set(files.map((file) => file.id)).size).toBe(2)
    expect((await query(server, table)).files.map((file) => file.id)).toEqual(files.map((file) => file.id))
  })

  it('has the rows and sums of the network in its files, for any reader of Parquet', async () => {
    const { queries, counts } = readExpected()
    const iot = await rowsOf(server, (await query(server, 'iot_reward_shares')).files)
    expect(iot).toHaveLength(counts.iot as number)
    const { totals } = queries[0] as (typeof queries)[number]
    expect({
      total_beacon_amount: String(sumOf(iot, 'beacon_amount')),
      total_witness_amount: String(sumOf(iot, 'witness_amount')),
      total_dc_transfer_amount: String(sumOf(iot, 'dc_transfer_amount')),
      total_amount: String(sumOf(iot, 'amount')),
    }).toEqual(totals)
    const rows = {
      ...{ mobile: 'mobile_reward_shares', manifests: 'reward_manifests', makers: 'makers' },
      ...{ witness: 'iot_witness_ingest_reports', accounts: 'l1_accounts', gateways: 'l1_gateways' },
      ...{ transactions: 'l1_transactions', transaction_actors: 'l1_transaction_actors' },
      ...{ packets: 'l1_packets', rewards: 'l1_rewards', dc_burns: 'l1_dc_burns', hotspots: 'hotspots' },
    }
    for (const [count, table] of Object.entries(rows))
      expect([table, (await rowsOf(server, (await query(server, table)).files)).length]).toEqual([
        table,
        counts[count],
      ])
  })

  it('is returned in the parquet format to every client that accepts it, with its capabilities in a header', async () => {
    const askAs = (asked: string) =>
      query(server, 'makers', {}, { headers: { 'delta-sharing-capabilities': asked } })
    for (const asked of [
      'responseformat=delta,parquet;readerfeatures=deletionvectors',
      'responseformat=parquet',
      'readerfeatures=deletionvectors',
      'ResponseFormat=Parquet, Delta',
    ]) {
      const { headers, lines } = await askAs(asked)
      expect(headers['delta-sharing-capabilities']).toBe('responseformat=parquet')
      expect(lines[0]).toBe('{"protocol":{"minReaderVersion":1}}')
    }
    expect((await query(server, 'makers')).headers).not.toHaveProperty('delta-sharing-capabilities')
  })

  it('is returned in the delta format to a client that accepts no other, with the actions of its log', async () => {
    const table = 'iot_reward_shares'
    const headers = { 'delta-sharing-capabilities': 'responseFormat=DELTA;readerfeatures=deletionvectors' }
    const reply = await query(server, table, { version: 0 }, { headers })
    expect(reply.headers['delta-sharing-capabilities']).toBe('responseformat=delta')
    const actions = some(readEntries(join(lake, table))).flatMap((entry) => entry.actions)
    const [protocol] = actions.flatMap((action) => ('protocol' in action ? [action.protocol] : []))
    const added = addedFiles(join(lake, table))
    const size = added.reduce((sum, file) => sum + file.size, 0)
    const [first, second, ...rest] = reply.lines.map((line) => JSON.parse(line))
    expect(first).toEqual({ protocol: { deltaProtocol: protocol } })
    expect(second).toEqual({
      metaData: { version: 0, size, numFiles: 2, deltaMetadata: metaDataOf(table) },
    })
    expect(rest).toEqual(
      added.map(({ partitionValues, size, stats }) => ({
        file: {
          ...{ id: expect.stringMatching(/^[0-9a-f]{32}$/), size, version: 0, timestamp: expect.any(Number) },
          expirationTimestamp: expect.any(Number),
          deltaSingleAction: {
            add: {
              path: expect.stringContaining('/delta-sharing/files/iot_reward_shares/month=2025-0'),
              ...{ partitionValues, size, stats, dataChange: true, modificationTime: expect.any(Number) },
            },
          },
        },
      })),
    )
    const metadata = await get(`/shares/ledgerlake/schemas/default/tables/${table}/metadata`, headers)
    expect(JSON.parse(metadata.body.split('\n')[0] ?? '')).toEqual(first)
  })

  it('names the scheme of its file ids', async () => {
    const ask = (scheme: string) => query(server, 'makers', {}, { headers: { fileidhash: scheme } })
    expect((await ask('Parquet')).headers.fileidhash).toBe('parquet')
    expect((await ask('delta')).headers.fileidhash).toBe('delta')
    expect(JSON.parse((await ask('md5')).text)).toEqual({
      errorCode: 'INVALID_PARAMETER_VALUE',
      message: 'The header fileidhash is "md5"; use parquet or delta.',
    })
  })

  it('accepts a query without a JSON content type or without a body', async () => {
    for (const payload of ['{}', undefined]) {
      const reply = await server.inject({
        method: 'POST',
        url: `${tables}/makers/query`,
        ...(payload && { payload }),
      })
      expect([reply.statusCode, reply.body.split('\n').length]).toEqual([200, 4])
    }
  })
})

describe('an unknown or unsupported request', () => {
  it.each([
    ['/shares/other', 404, 'There is no share "other"; there is ledgerlake.'],
    ['/shares/other/all-tables', 404, 'There is no share "other"; there is ledgerlake.'],
    ['/shares/ledgerlake/schemas/x/tables', 404, 'There is no schema "x" in ledgerlake; there is default.'],
    [
      '/shares/ledgerlake/schemas/default/tables/rejects/metadata',
      404,
      `There is no table "rejects" in ledgerlake.default; there are ${names.join(', ')}.`,
    ],
    [
      '/shares/ledgerlake/schemas/default/tables/makers/changes?startingVersion=0',
      400,
      'Changes of makers are not offered; query the table, with version or timestamp for an older one.',
    ],
    [
      '/shares/ledgerlake/schemas/default/tables/makers/rows',
      404,
      'There is no GET /delta-sharing/shares/ledgerlake/schemas/default/tables/makers/rows; the operations are listed at /.',
    ],
    ['/shares?maxResults=-1', 400, 'maxResults is "-1"; use a whole number from 0.'],
    ['/shares?pageToken=zz', 400, 'pageToken is "zz"; use the nextPageToken of an earlier reply.'],
    [
      '/shares/ledgerlake/schemas/default/tables/makers/metadata?version=1&timestamp=2026-01-01',
      400,
      'version and timestamp are both given; give one of them.',
    ],
    [
      '/shares/ledgerlake/schemas/default/tables/makers/metadata?version=-1',
      400,
      'version is "-1"; makers has version 0.',
    ],
    [
      '/shares/ledgerlake/schemas/default/tables/makers/version?startingTimestamp=soon',
      400,
      'startingTimestamp is "soon"; use an instant such as 2026-07-01T00:00:00Z.',
    ],
  ])('%s returns %s', async (path, status, message) => {
    const reply = await get(path)
    const errorCode = status === 404 ? 'RESOURCE_DOES_NOT_EXIST' : 'INVALID_PARAMETER_VALUE'
    expect([reply.statusCode, reply.json()]).toEqual([status, { errorCode, message }])
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it.each([
    [
      { startingVersion: 0 },
      'startingVersion asks for changes between versions, which are not offered; leave it out, and use version or timestamp for an older table.',
    ],
    [{ limitHint: -1 }, 'limitHint is -1; use a whole number from 0.'],
    [{ limitHint: '5' }, 'limitHint is "5"; use a whole number from 0.'],
    [{ predicateHints: 'a = 1' }, 'predicateHints is "a = 1"; use an array of strings.'],
    [{ jsonPredicateHints: {} }, 'jsonPredicateHints is of another form; use JSON in a text.'],
    [{ version: 1 }, 'version is "1"; makers has version 0.'],
    [{ version: 0, timestamp: '2026-01-01' }, 'version and timestamp are both given; give one of them.'],
    [{ timestamp: '2999-01-01' }, 'timestamp is "2999-01-01"; use an instant that has passed.'],
    [[], 'The body is of another form; use a JSON object.'],
  ])('a query with %j is refused', async (body, message) => {
    const { status, text } = await query(server, 'makers', body)
    expect([status, JSON.parse(text)]).toEqual([400, { errorCode: 'INVALID_PARAMETER_VALUE', message }])
  })

  it('a timestamp before the first commit is refused with the time of the first commit', async () => {
    const { status, text } = await query(server, 'makers', { timestamp: '2001-01-01T00:00:00Z' })
    expect([status, JSON.parse(text).message]).toEqual([
      400,
      expect.stringMatching(
        /^timestamp is "2001-01-01T00:00:00Z"; use an instant from the first commit of makers on, \d{4}-\d\d-\d\dT[\d:.]+Z\.$/,
      ),
    ])
  })

  it('a body that is not JSON is refused', async () => {
    const reply = await server.inject({ method: 'POST', url: `${tables}/makers/query`, payload: '{' })
    expect([reply.statusCode, reply.json()]).toEqual([
      400,
      {
        errorCode: 'INVALID_PARAMETER_VALUE',
        message: 'The body cannot be read as JSON; use a JSON object.',
      },
    ])
  })

  it('a server without sharing has no such routes', async () => {
    const other = await buildTestServer(lake)
    expect((await other.server.inject('/delta-sharing/shares')).statusCode).toBe(404)
  })
})

describe('the documents of a server', () => {
  it('name the sharing endpoint if it is enabled, and only then', async () => {
    const { server: other } = await buildTestServer(lake)
    const [text, without] = [(await server.inject('/llms.txt')).body, (await other.inject('/llms.txt')).body]
    expect(text).toContain('/delta-sharing`: whole tables as Parquet files, by the Delta Sharing protocol')
    expect(without).not.toContain('delta-sharing')
  })
})
