import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { routesIn } from '../../support/servers/documented.ts'
import { some } from '../../support/some.ts'

const safe = [
  ['x-content-type-options', /^nosniff$/],
  ['referrer-policy', /^no-referrer$/],
  ['x-frame-options', /^DENY$/],
  ['content-security-policy', /^default-src 'none'; (.*; )?frame-ancestors 'none'$/],
] as const

let test: TestServer
let address = ''
let metricsAt = 0

beforeAll(async () => {
  const lake = await smallLake()
  for (metricsAt = 20_000 + (process.pid % 20_000); ; metricsAt += 1) {
    const metricsAddress = { host: '127.0.0.1', port: metricsAt }
    test = await buildTestServer(lake, 60_000, undefined, { answerMemoryMb: 8, metricsAddress })
    const opened = await test.server.listen({ port: 0 }).catch(() => undefined)
    if (opened !== undefined) break
    await test.close()
  }
  address = `http://127.0.0.1:${(test.server.server.address() as { port: number }).port}`
})
afterAll(() => test.close())

/** What a reply lacks of the headers. */
async function lacks(url: string, init: RequestInit = {}): Promise<readonly string[]> {
  const { headers, status, body } = await fetch(url, init)
  await body?.cancel()
  expect(status).toBeGreaterThan(199)
  const missing = safe.filter(([name, form]) => !form.test(headers.get(name) ?? ''))
  return missing.map(([name]) => `${status} ${name}: ${headers.get(name)}`)
}

/** Addresses of every route: as they are, and with parameters that are right for some and wrong for others. */
function addresses(parameters: readonly string[]): readonly string[] {
  const routes = routesIn(test.server.printRoutes({ commonPrefix: false }))
  const paths = [...new Set(some([...routes]).map((route) => route.replace(/^\w+ /, '')))]
  return paths.flatMap((path) => {
    const own = path.replaceAll(/\{\w+\}/g, 'none').replaceAll(/:\w+/g, 'none')
    return parameters.map((text) => own + text)
  })
}

describe('every response of every route has the security headers', () => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'])('%s', async (method) => {
    const urls = addresses(method === 'GET' ? ['', '?from=2025-01-01&to=2025-02-01', '?nothing=7'] : [''])
    expect(urls.length).toBeGreaterThan(20)
    for (const url of urls) {
      const init = { method, headers: { accept: url.startsWith('/graphql') ? 'text/html' : '*/*' } }
      expect([url, await lacks(address + url, init)]).toEqual([url, []])
    }
  })

  it('repeated, 304, compressed, as a file and in another format', async () => {
    const list = `${address}/v1/net/l2/iot-reward-shares?from=2025-01-01&to=2025-02-01`
    const first = await fetch(list)
    const tag = first.headers.get('etag') ?? ''
    expect(tag).not.toBe('')
    await first.text()
    for (const headers of [
      {},
      { 'if-none-match': tag },
      { 'accept-encoding': 'gzip' },
      { accept: 'application/x-ndjson' },
    ])
      expect(await lacks(list, { headers: headers as Record<string, string> })).toEqual([])
    expect((await fetch(list, { headers: { 'if-none-match': tag } })).status).toBe(304)
    for (const format of ['csv', 'ndjson', 'parquet', 'arrow'])
      expect(await lacks(`${list}&format=${format}`)).toEqual([])
  })

  it('on unknown and malformed paths', async () => {
    for (const url of [
      '/nowhere',
      '/%zz',
      '/v1/net/l2/makers?name=%c0%ae',
      '/graphql?query=',
      '//',
      '/..%2f_keys/keys.ndjson',
    ])
      expect([url, await lacks(address + url)]).toEqual([url, []])
  })

  it.each([
    ['no HTTP', 'nonsense\r\n\r\n', 400],
    ['a request without Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['a request with two Hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n', 400],
    ['a Host that is none', 'GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
    ['a Host with a path', 'GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n', 400],
    ['an asterisk that is not of OPTIONS', 'GET * HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a method that nobody knows', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n', 501],
    ['another transfer encoding', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: foo\r\n\r\n', 501],
    ['another version of HTTP', 'GET / HTTP/3.0\r\nHost: a\r\n\r\n', 505],
    ['a long address', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414],
    ['a long header', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['a whole address', 'GET http://a/healthz HTTP/1.1\r\nHost: b c\r\nConnection: close\r\n\r\n', 200],
    ['the beginning of TLS', '\u0016\u0003\u0001\u0000\u00a5\u0001', 400],
    [
      'an unknown expectation',
      'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: 200-maybe\r\nConnection: close\r\n\r\n',
      200,
    ],
  ] as const)('that is written to a connection that sends %s', async (_what, sent, status) => {
    const reply = await new Promise<string>((resolve) => {
      let text = ''
      const socket = connect(Number(new URL(address).port), '127.0.0.1')
      socket.on('data', (bytes) => {
        text += bytes
      })
      socket.on('close', () => resolve(text))
      // The server closes it: a client that closes its side may lose a request that waits.
      socket.write(sent)
    })
    expect(reply.slice(0, 13)).toBe(`HTTP/1.1 ${status} `)
    expect(Math.abs(Date.parse(/\r\ndate: (.*)\r\n/i.exec(reply)?.[1] ?? '') - Date.now())).toBeLessThan(
      60_000,
    )
    for (const [name, form] of safe)
      expect(new RegExp(`^${name}: (.*)\r$`, 'im').exec(reply)?.[1]).toMatch(form)
  })

  it('at the separate address for metrics', async () => {
    for (const [path, method] of [
      ['/metrics', 'GET'],
      ['/metrics', 'POST'],
      ['/', 'GET'],
    ])
      expect(await lacks(`http://127.0.0.1:${metricsAt}${path}`, { method: method ?? '' })).toEqual([])
  })
})
