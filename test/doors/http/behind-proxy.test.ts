import { beforeAll, describe, expect, it } from 'vitest'
import type { ServerOptions } from '../../../src/doors/build-server.ts'
import { outsideAddress, trustedProxies } from '../../../src/services/settings/addresses.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { some } from '../../support/some.ts'

const outside = { origin: 'https://api.example.org', basePath: '/base' }
const maker = '/v1/net/l2/makers?per_page=1'
let lake: string
let below: TestServer['server']
const lines: string[] = []

const serverOf = async (options: Partial<ServerOptions>) =>
  (await buildTestServer(lake, 60_000, undefined, options)).server

beforeAll(async () => {
  lake = await smallLake()
  const log = { access: true, write: (line: string) => lines.push(line) }
  below = await serverOf({ outside, trustProxy: ['10.0.0.0/8'], log })
})

/** The replies to an address as two kinds of proxies ask it: one strips the base path, one does not. */
async function bothWays(url: string, headers: Record<string, string> = {}) {
  const stripped = await below.inject({ url, headers })
  const kept = await below.inject({ url: `/base${url}`, headers })
  return { stripped, kept }
}

describe('below a base path', () => {
  it.each([
    maker,
    '/',
    '/docs',
    '/guide',
    '/guide/asking',
    '/openapi.json',
    '/llms.txt',
    '/graphql?query={status}',
    '/healthz',
    '/readyz',
  ])('%s is answered alike whether the proxy strips the path or not', async (url) => {
    const { stripped, kept } = await bothWays(url)
    expect([stripped.statusCode, kept.statusCode]).toEqual([200, 200])
    expect(kept.body).toBe(stripped.body)
  })

  it('is served from the reply cache too', async () => {
    const server = await serverOf({ outside, answerMemoryMb: 1 })
    const address = await server.listen({ port: 0 })
    const ask = async (path: string) => {
      const reply = await fetch(address + path)
      return [reply.status, await reply.text(), /^memory$/.test(reply.headers.get('server-timing') ?? '')]
    }
    const [first, second] = [await ask(`/base${maker}`), await ask(`/base${maker}`)]
    expect(first[2]).toBe(false)
    expect(second).toEqual([200, first[1], true])
  })

  it('the base path itself is the front page, and a longer name is not below it', async () => {
    const front = await below.inject({ url: '/' })
    expect((await below.inject({ url: '/base' })).body).toBe(front.body)
    expect((await below.inject({ url: '/base?x=1' })).statusCode).toBe(200)
    expect((await below.inject({ url: `/based${maker}` })).statusCode).toBe(404)
    expect((await below.inject({ url: '/basedocs' })).statusCode).toBe(404)
    expect((await below.inject({ url: `/base/base${maker}` })).statusCode).toBe(404)
  })

  it.each(['/', '/docs'])('every link of %s works below the base path', async (url) => {
    const { body } = await below.inject({ url, headers: { accept: 'text/html' } })
    const links = [...body.matchAll(/href="(\/[^"]*)"/g)].map(([, link = '']) =>
      link.replaceAll('&amp;', '&'),
    )
    for (const link of new Set(some(links))) {
      expect(link).toMatch(/^\/base\//)
      const { statusCode } = await below.inject({ url: link, headers: { accept: 'text/html' } })
      expect([link, statusCode]).toEqual([link, 200])
    }
  })

  it('forms and curl lines of the reference have the base path', async () => {
    const { body } = await below.inject({ url: '/docs' })
    const paths = [...body.matchAll(/data-path="([^"]*)"/g)].map(([, path = '']) => path)
    expect(some(paths).filter((path) => !path.startsWith('/base/'))).toEqual([])
    const lines = [...body.matchAll(/curl (?:-G )?(\S+)/g)].map(([, address = '']) =>
      address.replace('&#39;', ''),
    )
    expect(some(lines).filter((line) => !line.startsWith('https://api.example.org/base/'))).toEqual([])
  })

  it('documents for programs have the public address', async () => {
    const document = JSON.parse((await below.inject({ url: '/openapi.json' })).body)
    expect(document.servers).toEqual([{ url: 'https://api.example.org/base' }])
    expect(document.externalDocs.url).toBe('https://api.example.org/base/openapi.json?integers=string')
    expect(document.info.description).toContain('`https://api.example.org/base/openapi.json?integers=string`')
    expect(Object.keys(document.paths)).toContain('/v1/net/l2/makers')
    const { body } = await below.inject({ url: '/llms.txt' })
    expect(body).toContain('The base address is https://api.example.org/base.')
    const links = [...body.matchAll(/\]\(([^)]*)\)/g)].map(([, link = '']) => link)
    for (const link of new Set(some(links))) expect(link).toMatch(/^https:\/\/api\.example\.org\/base\//)
  })

  it('the page for GraphQL sends its requests to the base path', async () => {
    const { body } = await below.inject({ url: '/graphql', headers: { accept: 'text/html' } })
    expect(/data-base="([^"]*)"/.exec(body)?.[1]).toBe('/base')
  })

  it('a statement links to its files below the base path', async () => {
    const { records } = JSON.parse((await below.inject({ url: '/v1/net/l2/hotspots?per_page=100' })).body)
    const owners = some<{ owner: string }>(records).map(({ owner }) => owner)
    // One who has few hotspots: each costs statements of SQL.
    const countOf = (owner: string) => owners.filter((other) => other === owner).length
    const owner = owners.reduce((fewest, other) => (countOf(other) < countOf(fewest) ? other : fewest))
    const url = `/v1/net/statement?owner=${owner}&from=2025-01-30&to=2025-01-30`
    const { files } = JSON.parse((await below.inject({ url })).body)
    for (const { href } of some<{ href: string }>(files))
      expect(href).toMatch(/^\/base\/v1\/net\/statement\//)
    expect((await below.inject({ url: files[0].href })).statusCode).toBe(200)
  })

  it('errors name the requested path, and suggest an existing one', async () => {
    const { body } = await below.inject({ url: '/base/v1/net/l2/makrs' })
    expect(JSON.parse(body).error).toBe(
      'There is no GET /base/v1/net/l2/makrs; did you mean /base/v1/net/l2/makers?',
    )
    const other = await below.inject({ url: '/base/nothing' })
    expect(JSON.parse(other.body).error).toBe(
      'There is no GET /base/nothing; the operations are listed at /base/.',
    )
  })
})

describe('headers of a proxy', () => {
  const headers = {
    host: 'inside:8080',
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'api.example.org',
  }
  const baseIn = (text: string) => /The base address is (\S+)\. /.exec(text)?.[1]
  const baseUrlOf = async (server: TestServer['server'], remoteAddress: string) =>
    baseIn((await server.inject({ url: '/llms.txt', headers, remoteAddress })).body)

  it('are used if it is trusted, and ignored from all other clients', async () => {
    const server = await serverOf({ trustProxy: ['10.0.0.0/8'] })
    expect(await baseUrlOf(server, '10.1.2.3')).toBe('https://api.example.org')
    expect(await baseUrlOf(server, '192.0.2.1')).toBe('http://inside:8080')
    expect(await baseUrlOf(await serverOf({}), '10.1.2.3')).toBe('http://inside:8080')
  })

  describe('that are used', () => {
    let counting: TestServer['server']
    beforeAll(async () => {
      counting = await serverOf({ trustProxy: 2 })
    })

    /** Whom the log names, and the scheme and host that a document names, for a request over a socket. */
    async function seen(trustProxy: number, forwardedFor: string) {
      const own: string[] = []
      const log = { access: true, write: (line: string) => own.push(line) }
      const server = await serverOf({ trustProxy, log })
      const address = await server.listen({ port: 0, host: '127.0.0.1' })
      const { host: _, ...sent } = { ...headers, 'x-forwarded-for': forwardedFor }
      const base = baseIn(await (await fetch(`${address}/llms.txt`, { headers: sent })).text())
      await expect.poll(() => own).toHaveLength(2)
      return { from: JSON.parse(own.at(-1) ?? '').from, isOutside: base === 'https://api.example.org' }
    }

    it.each([
      [1, '203.0.113.9', '203.0.113.9'],
      [1, '198.51.100.1, 203.0.113.9', '203.0.113.9'],
      [2, '203.0.113.9, 192.0.2.7', '203.0.113.9'],
      [2, '198.51.100.1, 203.0.113.9, 192.0.2.7', '203.0.113.9'],
      [3, '203.0.113.9', '203.0.113.9'],
    ])('with %i trusted proxies the client of %s is %s', async (count, forwardedFor, from) => {
      expect(await seen(count, forwardedFor)).toEqual({ from, isOutside: true })
    })

    it.each(['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1'])(
      'do not trust %s, which is public',
      async (remote) => {
        expect(await baseUrlOf(counting, remote)).toBe('http://inside:8080')
      },
    )

    it.each(['10.1.2.3', '172.31.0.1', '192.168.1.1', '::1', '::ffff:10.1.2.3', 'fd00::1', 'fe80::1%eth0'])(
      'trust %s',
      async (remote) => {
        expect(await baseUrlOf(counting, remote)).toBe('https://api.example.org')
      },
    )
  })

  it('do not change a configured public address', async () => {
    const evil = { ...headers, 'x-forwarded-host': 'evil.example.net' }
    const { body } = await below.inject({ url: '/llms.txt', headers: evil, remoteAddress: '10.1.2.3' })
    expect(baseIn(body)).toBe('https://api.example.org/base')
  })

  it('set the client address in the log, next to the requested path', async () => {
    lines.length = 0
    await below.inject({ url: `/base${maker}`, headers, remoteAddress: '10.1.2.3' })
    await below.inject({ url: maker, headers, remoteAddress: '192.0.2.1' })
    expect(lines.map((line) => JSON.parse(line)).map(({ from, url }) => [from, url])).toEqual([
      ['203.0.113.9', `/base${maker}`],
      ['192.0.2.1', maker],
    ])
  })
})

describe('--trust-proxy', () => {
  it.each([
    ['', false],
    ['true', true],
    ['2', 2],
    ['loopback, 10.0.0.0/8', ['loopback', '10.0.0.0/8']],
  ])('%j is read as %j', (text, proxies) => {
    expect(trustedProxies.read(text)).toEqual(proxies)
  })

  it.each(['0', '10', '-1', '1.5', '1,loopback', '10.0.0.0/0', 'proxy.example.org'])(
    '%j is refused',
    (text) => {
      expect(trustedProxies.read(text)).toBeUndefined()
    },
  )
})

describe('--public-url', () => {
  it.each([
    ['', '', ''],
    ['https://api.example.org', 'https://api.example.org', ''],
    ['https://api.example.org/', 'https://api.example.org', ''],
    ['http://API.example.org:8443/a/b-c/', 'http://api.example.org:8443', '/a/b-c'],
    ['/base', '', '/base'],
  ])('%j is read', (text, origin, basePath) => {
    expect(outsideAddress.read(text)).toEqual({ origin, basePath })
  })

  it.each([
    'api.example.org',
    'ftp://api.example.org',
    'https://api.example.org/a?b',
    'https://api.example.org/a#b',
    'https://user:secret@api.example.org/',
    'https://api.example.org/a//b',
    '/a/../b',
    '/v1',
    '/graphql/x',
    'https://',
    ' /base',
  ])('%j is refused', (text) => {
    expect(outsideAddress.read(text)).toBeUndefined()
  })
})
