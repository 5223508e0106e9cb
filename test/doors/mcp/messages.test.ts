import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkedLines } from '../../../src/doors/mcp/rpc/checked-lines.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'

const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const clientInfo = { name: 'a test', version: '1' }
const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }

interface Reply {
  readonly id?: unknown
  readonly error?: { readonly code: number; readonly message: string }
  readonly result?: { readonly isError?: boolean }
}

let server: FastifyInstance
let post: (payload: unknown, more?: object) => Promise<{ status: number; json: Reply }>

beforeAll(async () => {
  server = (await buildTestServer(await smallLake())).server
  post = async (payload, more = {}) => {
    const request = { method: 'POST', url: '/mcp', headers: { ...headers, ...more } } as const
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
    const reply = await server.inject({ ...request, payload: body })
    return { status: reply.statusCode, json: reply.json() }
  }
})

const request = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 7, method, params })

describe('a message over HTTP', () => {
  it.each([
    ['ping', null, 'params is null; expected an object.'],
    ['tools/list', [], 'params is an array; expected an object.'],
    ['tools/list', { cursor: 3 }, 'params.cursor is 3; expected a string.'],
    ['initialize', undefined, 'params is missing; expected an object.'],
    ['initialize', { ...initialize, protocolVersion: 3 }, 'params.protocolVersion is 3; expected a string.'],
    [
      'initialize',
      { ...initialize, protocolVersion: null, clientInfo: { name: 'x' } },
      'params.protocolVersion is null; expected a string; params.clientInfo.version is missing; expected a string.',
    ],
    ['tools/call', {}, 'params.name is missing; expected a string.'],
    ['tools/call', { name: 'status', arguments: [] }, 'params.arguments is an array; expected an object.'],
    [
      'ping',
      { _meta: { progressToken: {} } },
      'params._meta.progressToken is an object; expected a string or a number.',
    ],
    [
      'tools/call',
      { name: 'nope' },
      'The tool is "nope"; use one of status, search, list, lookup, totals, series, earnings.',
    ],
  ])('%s with %j returns -32602 and a sentence', async (method, params, message) => {
    const { status, json } = await post(request(method, params))
    expect([status, json]).toEqual([200, { jsonrpc: '2.0', id: 7, error: { code: -32602, message } }])
  })

  it.each([
    ['"x"', 'The message is "x"; expected an object.'],
    [{ ...request('ping'), jsonrpc: '1.0' }, 'jsonrpc is "1.0"; expected "2.0".'],
    [{ ...request('ping'), id: 1.5 }, 'id is 1.5; expected a string or an integer.'],
    [
      { ...request('ping'), method: 3, id: null },
      'id is null; expected a string or a number; method is 3; expected a string.',
    ],
    [{ ...request('ping'), extra: 1 }, 'the message has "extra", which no message has.'],
  ])('%j returns -32600 and a sentence', async (message, sentence) => {
    const { json } = await post(message)
    expect(json.error).toEqual({ code: -32600, message: sentence })
  })

  it('may have arguments of null', async () => {
    const { json } = await post(request('tools/call', { name: 'status', arguments: null }))
    expect(json.result?.isError).toBe(false)
  })

  it('returns -32700 if it is not JSON, and 415 for another Content-Type', async () => {
    expect(await post('{"jsonrpc"')).toEqual({
      status: 400,
      json: { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'The body is not JSON.' } },
    })
    expect((await post('')).json.error?.code).toBe(-32700)
    const { status, json } = await post(request('ping'), { 'content-type': 'text/plain' })
    expect([status, json.error?.message]).toEqual([415, 'Content-Type must be application/json.'])
  })

  it.each(['*/*', 'application/json', 'application/*;q=0.5', 'text/event-stream, */*;q=0.1'])(
    'returns 200 to a client that accepts %s',
    async (accept) => expect((await post(request('ping'), { accept })).status).toBe(200),
  )

  it('returns 406 to a client that accepts no JSON', async () => {
    expect((await post(request('ping'), { accept: 'text/html, application/json;q=0' })).status).toBe(406)
  })
})

describe('a batch', () => {
  const told = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const refused = {
    code: -32600,
    message: 'Only revision 2025-03-26 has batches. Send each message by itself.',
  }

  it('of a client of 2025-03-26 returns one reply for each message except notifications', async () => {
    const messages = [request('ping'), told, 3, { ...request('nope'), id: 'x' }]
    const replies = [
      { jsonrpc: '2.0', id: 7, result: {} },
      {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32600, message: 'The message is 3; expected an object.' },
      },
      { jsonrpc: '2.0', id: 'x', error: { code: -32601, message: 'Method not found' } },
    ]
    expect(await post(messages)).toEqual({ status: 200, json: replies })
    expect(await post(messages, { 'mcp-protocol-version': '2025-03-26' })).toEqual({
      status: 200,
      json: replies,
    })
  })

  it('of only notifications returns 202 without a body', async () => {
    const reply = await server.inject({ method: 'POST', url: '/mcp', headers, payload: [told, told] })
    expect([reply.statusCode, reply.body]).toEqual([202, ''])
  })

  it.each(['2024-11-05', '2025-06-18', '2025-11-25', '2026-07-28'])(
    'of a client of %s returns -32600',
    async (revision) => {
      const { status, json } = await post([request('ping')], { 'mcp-protocol-version': revision })
      expect([status, json.error]).toEqual([400, refused])
    },
  )

  it('of no message or of more than 100 returns -32600', async () => {
    const sentence = (count: number) => `The batch has ${count} messages; expected 1 to 100.`
    expect((await post([])).json.error).toEqual({ code: -32600, message: sentence(0) })
    const many = Array.from({ length: 101 }, () => request('ping'))
    expect((await post(many)).json.error).toEqual({ code: -32600, message: sentence(101) })
    expect((await post(many.slice(1))).status).toBe(200)
  })

  it('over standard input returns an error unless the client began with 2025-03-26', async () => {
    const begin = (protocolVersion: string) => request('initialize', { ...initialize, protocolVersion })
    const batch = [request('ping'), { ...request('ping'), id: 8 }]
    const lineOf = (message: unknown) => `${JSON.stringify(message)}\n`
    const through = async (...messages: readonly unknown[]) => {
      const input = new PassThrough()
      const errors: unknown[] = []
      const lines = checkedLines(input, ({ error }) => errors.push(error))
      input.end(messages.map(lineOf).join(''))
      return { passed: (await lines.toArray()).join(''), errors }
    }
    const [old, later] = [begin('2025-03-26'), begin('2025-06-18')]
    expect(await through(old, batch)).toEqual({ passed: [old, ...batch].map(lineOf).join(''), errors: [] })
    expect(await through(later, batch)).toEqual({ passed: lineOf(later), errors: [refused] })
    expect(await through(batch)).toEqual({ passed: '', errors: [refused] })
  })
})

describe('a message of 2026-07-28', () => {
  const name = 'io.modelcontextprotocol'
  const _meta = { [`${name}/protocolVersion`]: '2026-07-28', [`${name}/clientCapabilities`]: {} }
  const ask = async (method: string, params: object = {}, more: object = {}) =>
    await post(request(method, { _meta, ...params }), {
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
      ...more,
    })

  it('gets the capabilities from server/discover without initialize', async () => {
    const { status, json } = await ask('server/discover')
    expect([status, json.result]).toMatchObject([
      200,
      {
        ...{ supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, resultType: 'complete' },
        ...{ ttlMs: 300_000, cacheScope: 'private' },
        _meta: { [`${name}/serverInfo`]: { name: 'ledgerlake' } },
      },
    ])
  })

  it('may have arguments of null', async () => {
    const { json } = await ask('tools/call', { name: 'status', arguments: null }, { 'mcp-name': 'status' })
    expect(json.result?.isError).toBe(false)
  })

  it.each<[string, object, object, number, number]>([
    ['server/discover', { _meta: { ..._meta, [`${name}/clientCapabilities`]: undefined } }, {}, 400, -32602],
    ['tools/list', { cursor: 3 }, {}, 400, -32602],
    ['tools/list', {}, { 'mcp-method': 'tools/call' }, 400, -32020],
    ['tools/call', { name: 'status' }, { 'mcp-name': 'search' }, 400, -32020],
    ['tools/call', { name: 'nope' }, { 'mcp-name': 'nope' }, 200, -32602],
    ['ping', {}, {}, 404, -32601],
    ['initialize', {}, {}, 404, -32601],
  ])(
    '%s with %j and headers %j returns status %i and error %i',
    async (method, params, more, status, code) => {
      const refused = await ask(method, params, more)
      expect([refused.status, refused.json.error?.code]).toEqual([status, code])
    },
  )

  it('returns -32602 if its params are null', async () => {
    const { status, json } = await post(request('tools/list', null), { 'mcp-protocol-version': '2026-07-28' })
    expect([status, json.error]).toEqual([
      400,
      { code: -32602, message: 'params is null; expected an object.' },
    ])
  })

  it('of an unknown revision returns the supported revisions', async () => {
    const other = { ..._meta, [`${name}/protocolVersion`]: '2099-01-01' }
    const { status, json } = await ask(
      'tools/list',
      { _meta: other },
      { 'mcp-protocol-version': '2099-01-01' },
    )
    expect([status, json.error]).toMatchObject([400, { code: -32022, data: { supported: ['2026-07-28'] } }])
  })

  it('that subscribes to changes gets an acknowledgement and the end of the stream', async () => {
    const reply = await server.inject({
      ...{ method: 'POST', url: '/mcp' },
      headers: { ...headers, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
      payload: request('subscriptions/listen', { _meta, notifications: { toolsListChanged: true } }),
    })
    const events = [...reply.body.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''))
    expect(reply.headers['content-type']).toBe('text/event-stream')
    expect(events).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
      { id: 7, result: { resultType: 'complete' } },
    ])
  })
})

it('POST /mcp accepts the Origin of the server if Host is an IP address or localhost, and returns 403 otherwise', async () => {
  const asked = async (host: string, origin: string) => (await post(request('ping'), { host, origin })).status
  expect(await asked('127.0.0.1:8080', 'http://127.0.0.1:8080')).toBe(200)
  expect(await asked('[::1]:8080', 'http://[::1]:8080')).toBe(200)
  expect(await asked('localhost:8080', 'http://localhost:8080')).toBe(200)
  expect(await asked('127.0.0.1:8080', 'http://127.0.0.1:9090')).toBe(403)
  expect(await asked('evil.example', 'http://evil.example')).toBe(403)
})

it('POST /mcp accepts an HTTPS Origin that equals the host forwarded by a trusted proxy', async () => {
  const { server: behind } = await buildTestServer(await smallLake(), 60_000, undefined, { trustProxy: true })
  const asked = async (proto: string, host: string, origin: string) => {
    const forwarded = { 'x-forwarded-proto': proto, 'x-forwarded-host': host }
    const reply = await behind.inject({
      ...{ method: 'POST', url: '/mcp', payload: request('ping') },
      headers: { ...headers, ...forwarded, origin },
    })
    return reply.statusCode
  }
  expect(await asked('https', 'api.example', 'https://api.example')).toBe(200)
  expect(await asked('https', 'api.example', 'https://evil.example')).toBe(403)
  // A name proves nothing without a certificate.
  expect(await asked('http', 'evil.example', 'http://evil.example')).toBe(403)
  expect(await asked('https', 'evil.example', 'http://evil.example')).toBe(403)
})

it('POST /mcp accepts the public origin, with and without the base path', async () => {
  const outside = { origin: 'https://api.example', basePath: '/lake' }
  const { server: below } = await buildTestServer(await smallLake(), 60_000, undefined, { outside })
  const asked = async (url: string, origin: string) =>
    (await below.inject({ method: 'POST', url, payload: request('ping'), headers: { ...headers, origin } }))
      .statusCode
  expect(await asked('/lake/mcp', 'https://api.example')).toBe(200)
  expect(await asked('/mcp', 'https://api.example')).toBe(200)
  expect(await asked('/lake/mcp', 'https://other.example')).toBe(403)
})

it('a malformed line over standard input returns an error, and later lines are passed on', async () => {
  const input = new PassThrough()
  const refused: unknown[] = []
  const lines = checkedLines(input, ({ id, error }) => refused.push([id, error.code]))
  const [ping, withoutParams] = [request('ping'), request('ping', null)].map((each) => JSON.stringify(each))
  // In pieces, with a character of three bytes that is cut.
  const text = Buffer.from(`{"x\n${withoutParams}\n\n[]\n${'x'.repeat(11 * 2 ** 20)}\n${ping}\n{"method":"€`)
  for (let from = 0; from < text.length; from += 65_537) input.write(text.subarray(from, from + 65_537))
  input.end('"}\n')
  const passed = (await lines.toArray()).join('')
  expect([refused, passed]).toEqual([
    [
      [null, -32700],
      [7, -32602],
      [null, -32600],
      [null, -32600],
      [null, -32600],
    ],
    `${ping}\n`,
  ])
})
