import { beforeAll, describe, expect, it } from 'vitest'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { type GatedServer, gatedServer } from '../../support/servers/gated-server.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
const totals = '/v1/net/l2/iot-reward-shares/totals'
const days = 'from=2025-01-28&to=2025-02-01'

let lake: string
let open: TestServer
let gated: GatedServer

beforeAll(async () => {
  lake = await smallLake()
  open = await buildTestServer(lake)
  gated = await gatedServer(lake)
})

/** The text of a page, without its marks. */
const shownBy = (page: string) =>
  page
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/\s+/g, ' ')

const linksOf = (page: string) => [...page.matchAll(/href="([^"]*)"/g)].map(([, address]) => address)

async function pageAt(url: string, { server }: Pick<TestServer, 'server'> = open) {
  const reply = await server.inject({ url, headers: { accept: browser } })
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
  const { statusCode: status, body, headers } = reply
  return { status, body, headers, text: shownBy(body), links: linksOf(body) }
}

describe('an error in a browser', () => {
  it.each([
    ['/v1/net/l2/hotspot', 404, 'not_found'],
    ['/v1/net/l2/makers/nobody', 404, 'not_found'],
    ['/nowhere', 404, 'not_found'],
    ['/mcp', 405, 'method_not_allowed'],
    [`${totals}?from=yesterday&limit=3`, 422, 'malformed_request'],
    ['/v1/net/l2/hotspots?as_of=x1-0', 422, 'malformed_request'],
    ['/v1/net/l2/makers/%E0%A4%A', 422, 'malformed_request'],
    ['/v1/net/l2/makers/%FF', 422, 'malformed_request'],
  ])(
    'at %s is a page with status, code, request id and the sentences of the JSON',
    async (url, status, code) => {
      const page = await pageAt(url)
      const json = await open.server.inject({ url })
      expect([page.status, json.statusCode, JSON.parse(json.body).code]).toEqual([status, status, code])
      for (const shown of [`${status} `, code, String(page.headers['x-request-id'])])
        expect(page.text).toContain(shown)
      const { error, errors = [{ message: error }] } = JSON.parse(json.body)
      for (const { param = '', message } of errors) {
        expect(page.text).toContain(message)
        expect(page.text).toContain(param)
      }
      expect(page.links).toEqual(expect.arrayContaining(['/', '/docs', '/guide']))
    },
  )

  it('has a content policy next to the security headers, and Vary: Accept', async () => {
    const { headers, body } = await pageAt('/nowhere')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      vary: 'Accept',
    })
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(body).not.toMatch(/<script| style="| on\w+="|(?:src|href)="(?:https?:)?\/\//)
  })

  it('escapes the requested path and parameters', async () => {
    const asked = encodeURIComponent('<img src=x onerror=alert(1)>"\'`')
    for (const url of [`/${asked}`, `/v1/net/l2/hotspots?${asked}=1&networks=${asked}`]) {
      const { body, text } = await pageAt(url)
      expect(body).not.toMatch(/<img/)
      expect(text).toMatch(/img/)
    }
  })

  it('links to the address that was probably meant', async () => {
    const { links, text } = await pageAt('/v1/net/l2/hotspot')
    expect(links).toContain('/v1/net/l2/hotspots')
    expect(text).toContain('There is no GET /v1/net/l2/hotspot;')
    expect((await pageAt('/nowhere')).links).toEqual(['data:,', '/', '/docs', '/guide'])
  })

  it('explains how to send a key, and links to pages without one', async () => {
    const { status, text, links, headers } = await pageAt(`${totals}?${days}`, gated.test)
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect(text).toContain('Send your API key as Authorization: Bearer <key> .')
    expect(text).toContain('curl -H "Authorization: Bearer KEY"')
    expect(links.filter((link) => link === '/docs' || link === '/')).toHaveLength(4)
    expect(headers.vary).toBe('Authorization, Accept')
  })

  it('names the feature that a key lacks, and never contains the key', async () => {
    const key = await gated.newKey({ features: ['OracleData'] })
    const headers = { authorization: `Bearer ${key}`, accept: browser }
    const { body, statusCode } = await gated.test.server.inject({ url: `${totals}?${days}`, headers })
    expect([statusCode, shownBy(body).includes('needs the feature Aggregates')]).toEqual([403, true])
    const wrong = await gated.test.server.inject({ url: `/v1/net/l2/makers?${key}=1`, headers })
    expect(wrong.body).not.toContain(key)
  })

  it('names the seconds until the next try', async () => {
    const key = await gated.newKey({ ratePerMinute: 1 })
    const headers = { authorization: `Bearer ${key}`, accept: browser }
    const ask = () => gated.test.server.inject({ url: '/v1/net/l2/makers', headers })
    expect((await ask()).headers['content-type']).toBe('application/json; charset=utf-8')
    const late = await ask()
    expect([late.statusCode, late.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)])
    expect(shownBy(late.body)).toContain(`Ask again in ${late.headers['retry-after']} seconds.`)
    const draining = await buildTestServer(lake, 60_000, undefined, { isDraining: () => true })
    const { status, text } = await pageAt('/readyz', draining)
    expect([status, text.includes('The server is about to stop.')]).toEqual([503, true])
    expect(text).toContain('Ask again in 5 seconds.')
  })

  it('has the status and the links of the server: of a dialect, and below a base path', async () => {
    const outside = { origin: 'https://api.example.org', basePath: '/base' }
    const { server } = await buildTestServer(lake, 60_000, undefined, { outside })
    const { links, text } = await pageAt('/base/v1/net/l2/hotspot', { server })
    expect(links).toEqual(['data:,', '/base/', '/base/docs', '/base/guide', '/base/v1/net/l2/hotspots'])
    expect(text).toContain('There is no GET /base/v1/net/l2/hotspot;')
  })
})

describe('a program', () => {
  const urls = ['/v1/net/l2/hotspot', `${totals}?from=yesterday`, '/v1/net/l2/makers/%E0%A4%A', '/mcp']
  const accepts = [
    undefined,
    '*/*',
    'application/json',
    'application/json, text/plain, */*',
    'text/html;q=0.5, */*',
    // Of HttpURLConnection in Java.
    'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  ]

  it.each(urls)('gets the same JSON and headers at %s for any Accept', async (url) => {
    for (const accept of accepts) {
      const asked = { url, headers: { 'x-request-id': 'one', ...(accept !== undefined && { accept }) } }
      const { headers, body } = await open.server.inject(asked)
      const { date: _, connection: __, 'content-length': length, ...others } = headers
      expect(length).toBe(String(Buffer.byteLength(body)))
      expect(others).toEqual({
        'x-request-id': 'one',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'content-type': 'application/json; charset=utf-8',
        ...(url.includes('%') ? {} : { 'cache-control': 'no-store' }),
        ...(url === '/mcp' && { allow: 'POST, OPTIONS' }),
      })
      expect(Object.keys(JSON.parse(body)).slice(0, 2)).toEqual(['error', 'code'])
    }
  })

  it('that sends something gets JSON, and so does GraphQL', async () => {
    const posted = await open.server.inject({ method: 'POST', url: '/nowhere', headers: { accept: browser } })
    const asked = await gated.test.server.inject({
      ...{ method: 'POST', url: '/graphql', headers: { accept: browser } },
    })
    for (const { headers, statusCode } of [posted, asked])
      expect([statusCode >= 400, headers['content-type']]).toEqual([true, 'application/json; charset=utf-8'])
  })

  it('gets the JSON of a successful response, and so does a browser', async () => {
    for (const url of ['/v1/net/l2/makers', `${totals}?${days}`, '/healthz', '/openapi.json']) {
      const { headers, statusCode } = await open.server.inject({ url, headers: { accept: browser } })
      expect([url, statusCode, headers['content-type']]).toEqual([
        ...[url, 200, 'application/json; charset=utf-8'],
      ])
    }
  })
})
