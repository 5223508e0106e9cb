import { beforeAll, describe, expect, it } from 'vitest'
import { version } from '../../../src/base/version.ts'
import type { ExplorerFiles } from '../../../src/doors/explorer/built-files.ts'
import { pageKinds } from '../../../src/explorer/values/addresses.ts'
import { builtExplorer } from '../../support/build-explorer.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { weightsOf } from '../../support/page-weight.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { some } from '../../support/some.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
let explorer: ExplorerFiles
let lake: string
let served: TestServer['server']

beforeAll(async () => {
  explorer = await builtExplorer()
  lake = await smallLake()
  served = (await buildTestServer(lake, 60_000, undefined, { explorer })).server
})

const ask = async (url: string, headers: Record<string, string> = { accept: browser }) =>
  await served.inject({ url, headers })

/** Addresses that a page loads. */
const loadedBy = (body: string) =>
  [...body.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, at = '']) => at)

describe('the response at /', () => {
  it.each([
    ['a browser', browser, 'text/html; charset=utf-8'],
    ['a program that asks for JSON', 'application/json', 'application/json; charset=utf-8'],
    ['one that takes anything', '*/*', 'application/json; charset=utf-8'],
    ['one that likes JSON better', 'text/html;q=0.5, application/json', 'application/json; charset=utf-8'],
  ])('has the media type for %s', async (_who, accept, type) => {
    const { headers, statusCode } = await ask('/', { accept })
    expect([statusCode, headers['content-type']]).toEqual([200, type])
    expect(String(headers.vary).toLowerCase().split(', ')).toContain('accept')
  })

  it('is an index for programs, whose links and examples work', async () => {
    const index = JSON.parse((await ask('/', { accept: 'application/json' })).body)
    expect([index.name, index.version]).toEqual(['ledgerlake', version])
    const { headers } = await ask('/v1/net/status')
    expect(index.snapshot).toBe(headers['ledgerlake-snapshot'])
    const examples = (index.operations as { example: string | null }[]).flatMap(
      ({ example }) => example ?? [],
    )
    expect(examples.length).toBeGreaterThan(10)
    for (const url of [...Object.values<string>(index.links), ...examples])
      expect([url, (await ask(url, { accept: 'text/html, */*;q=0.1' })).statusCode]).toEqual([url, 200])
  })
})

describe('a page of the explorer', () => {
  it.each(['/', '/fleet', '/fleet?keys=a', ...pageKinds.map((kind) => `/${kind}/11abc`)])(
    '%s is the same document, which loads nothing from elsewhere',
    async (url) => {
      const { body, headers, statusCode } = await ask(url)
      expect([statusCode, body]).toEqual([200, (await ask('/')).body])
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      expect([headers['x-content-type-options'], headers['cache-control']]).toEqual(['nosniff', 'no-cache'])
      expect(body).not.toMatch(/(?:src|href)="(?:https?:)?\/\/|<style| style="|<script>| on\w+="/)
    },
  )

  it('loads existing files, which are cacheable for ever', async () => {
    const urls = loadedBy((await ask('/')).body)
    expect(urls).toHaveLength(2)
    for (const url of some(explorer.files.map(({ name }) => `/explorer/${name}`))) {
      const { statusCode, headers, body } = await ask(url, { 'accept-encoding': 'identity' })
      expect([url, statusCode, headers['cache-control']]).toEqual([
        ...[url, 200, 'public, max-age=31536000, immutable'],
      ])
      expect(headers['content-type']).toMatch(url.endsWith('.css') ? /^text\/css;/ : /^text\/javascript;/)
      expect(body).toBe(explorer.files.find(({ name }) => url.endsWith(name))?.text)
      const held = { 'if-none-match': String(headers.etag) }
      expect((await ask(url, held)).statusCode).toBe(304)
    }
    expect(explorer.files.map(({ name }) => `/explorer/${name}`)).toEqual(expect.arrayContaining(urls))
    expect((await ask('/explorer/main.js')).statusCode).toBe(404)
  })

  it('has its own ETag when compressed with gzip', async () => {
    const { headers } = await ask(`/explorer/${explorer.explorer.script}`, { 'accept-encoding': 'gzip' })
    expect([headers['content-encoding'], headers.etag]).toEqual([
      'gzip',
      `"${explorer.explorer.script}-gzip"`,
    ])
  })

  it('has less than 200 KB with everything that it can load', () => {
    const weights = weightsOf(explorer, explorer.explorer)
    const whole = weights.reduce((sum, bytes) => sum + bytes, 0)
    expect(weights).toHaveLength(3)
    expect(weights.length).toBeLessThan(explorer.files.length)
    expect(whole).toBeGreaterThan(20_000)
    expect(whole).toBeLessThan(200_000)
  })

  it('contacts no other server: its files contain no address of one', () => {
    const told = explorer.files.flatMap(({ text }) => [...text.matchAll(/(?:https?:)?\/\/[a-z][\w.-]*/g)])
    const named = new Set(told.map(([address]) => address))
    // What graphql says in its messages and descriptions.
    const inTexts = ['yarnpkg.com', 'en.wikipedia.org', 'commonmark.org'].map((host) => `https://${host}`)
    expect([...named].sort()).toEqual(inTexts.sort())
  })

  it('requires no key, but its requests do', async () => {
    const gated = await gatedServer(lake, { options: { explorer } })
    for (const url of ['/', '/fleet', '/hotspot/a', `/explorer/${explorer.explorer.script}`])
      expect([url, (await gated.ask(url)).status]).toEqual([url, 200])
    expect((await gated.ask('/v1/net/status')).status).toBe(401)
  })
})

describe('below a base path', () => {
  it('every address begins with the base path', async () => {
    const outside = { origin: 'https://api.example.org', basePath: '/base' }
    const { server } = await buildTestServer(lake, 60_000, undefined, { explorer, outside })
    const at = async (url: string, accept = browser) => await server.inject({ url, headers: { accept } })
    const { body } = await at('/base/hotspot/11abc')
    expect(body).toContain('<html lang="en" data-base="/base" data-api="/base/v1/net">')
    const loaded = loadedBy(body)
    expect(loaded).toHaveLength(2)
    for (const url of loaded) {
      expect(url).toMatch(/^\/base\/explorer\//)
      expect((await at(url)).statusCode).toBe(200)
    }
    const index = JSON.parse((await at('/base/', 'application/json')).body)
    expect([index.links.docs, index.operations[0].path]).toEqual([
      '/base/docs',
      '/base/v1/net/l2/iot-reward-shares',
    ])
  })
})
