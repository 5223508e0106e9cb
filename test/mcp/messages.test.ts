import { PassThrough } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkedLines } from '../../src/server/mcp/checked-lines.ts'
import { buildTestServer } from '../support/build-test-server.ts'
import { smallLake } from '../support/small-lake.ts'

const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const clientInfo = { name: 'a test', version: '1' }
const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }

interface Reply {
  readonly error?: { readonly code: number; readonly message: string }
  readonly result?: { readonly isError: boolean }
}

let post: (payload: unknown, more?: object) => Promise<{ status: number; json: Reply }>

beforeAll(async () => {
  const { server } = await buildTestServer(await smallLake())
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
      'The tool is "nope"; use one of status, search, list, lookup, totals, series.',
    ],
  ])('%s with %j is refused with -32602 and a sentence', async (method, params, message) => {
    const { status, json } = await post(request(method, params))
    expect([status, json]).toEqual([200, { jsonrpc: '2.0', id: 7, error: { code: -32602, message } }])
  })

  it.each([
    ['"x"', 'The message is "x"; expected an object.'],
    [[request('ping')], 'Batches are not supported. Send each message by itself.'],
    [{ ...request('ping'), jsonrpc: '1.0' }, 'jsonrpc is "1.0"; expected "2.0".'],
    [{ ...request('ping'), id: 1.5 }, 'id is 1.5; expected a string or an integer.'],
    [
      { ...request('ping'), method: 3, id: null },
      'id is null; expected a string or a number; method is 3; expected a string.',
    ],
    [{ ...request('ping'), extra: 1 }, 'the message has "extra", which no message has.'],
  ])('%j is refused with -32600 and a sentence', async (message, sentence) => {
    const { json } = await post(message)
    expect(json.error).toEqual({ code: -32600, message: sentence })
  })

  it('has arguments of null for none', async () => {
    const { json } = await post(request('tools/call', { name: 'status', arguments: null }))
    expect(json.result?.isError).toBe(false)
  })

  it('is refused with -32700 if it is not JSON, and with 415 if its type is another', async () => {
    expect(await post('{"jsonrpc"')).toEqual({
      status: 400,
      json: { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'The body is not JSON.' } },
    })
    expect((await post('')).json.error?.code).toBe(-32700)
    const { status, json } = await post(request('ping'), { 'content-type': 'text/plain' })
    expect([status, json.error?.message]).toEqual([415, 'Content-Type must be application/json.'])
  })

  it.each(['*/*', 'application/json', 'application/*;q=0.5', 'text/event-stream, */*;q=0.1'])(
    'is answered to a client that accepts %s',
    async (accept) => expect((await post(request('ping'), { accept })).status).toBe(200),
  )

  it('is refused with 406 to a client that accepts no JSON', async () => {
    expect((await post(request('ping'), { accept: 'text/html, application/json;q=0' })).status).toBe(406)
  })
})

it('a page of the server itself may send messages, unless a name leads there', async () => {
  const asked = async (host: string, origin: string) => (await post(request('ping'), { host, origin })).status
  expect(await asked('127.0.0.1:8080', 'http://127.0.0.1:8080')).toBe(200)
  expect(await asked('[::1]:8080', 'http://[::1]:8080')).toBe(200)
  expect(await asked('localhost:8080', 'http://localhost:8080')).toBe(200)
  expect(await asked('127.0.0.1:8080', 'http://127.0.0.1:9090')).toBe(403)
  expect(await asked('evil.example', 'http://evil.example')).toBe(403)
})

it('a line over standard input that is no message is answered with an error, and the next one is passed on', async () => {
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
