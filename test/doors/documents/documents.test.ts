import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { specifiedDialect } from '../../../src/doors/dialect/dialect.ts'
import { relay } from '../../../src/doors/dialect/relay.ts'
import { html, prose } from '../../../src/doors/html/html.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { aroundRows } from '../../support/around-rows.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { makerRecord, writeRecords } from '../../support/messages/record-files.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { type Documented, exampleAddress, operationsIn } from '../../support/servers/documented.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { some } from '../../support/some.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

let lake: string
let server: TestServer

beforeAll(async () => {
  lake = await smallLake()
  server = await buildTestServer(lake)
})

const get = async (url: string, at = server, host = 'lake.example:8080') =>
  await at.server.inject({ method: 'GET', url, headers: { host } })

const documents = ['/docs', '/openapi.json', '/llms.txt']

describe('llms.txt', () => {
  const LINK = /^- \[([^\]]+)\]\(http:\/\/lake\.example:8080([^)]*)\): (.*)$/gm

  it('begins with a title, a quotation and the base address of the request', async () => {
    const { body, headers } = await get('/llms.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(body).toMatch(/^# ledgerlake\n\n> .+\n\nThe base address is http:\/\/lake\.example:8080\. /)
  })

  it('lists every documented operation with its parameters, and its links return 200', async () => {
    const { body } = await get('/llms.txt')
    const links = [...body.matchAll(LINK)].map(([, title, address = '', notes = '']) => ({
      title,
      address,
      notes,
    }))
    const document = JSON.parse((await get('/openapi.json')).body) as Documented
    for (const { path, method, operation } of some(operationsIn(document))) {
      const told = links.find(({ notes }) => notes.startsWith(`\`${method.toUpperCase()} ${path}\`.`))
      expect(told?.title).toBe(operation.operationId)
      for (const { name } of operation.parameters ?? [])
        expect(told?.notes).toMatch(new RegExp(`[ ,]${name}\\b`))
    }
    expect(links.length).toBeGreaterThan(operationsIn(document).length)
    // Each page once: most links lead to a part of /docs.
    const pages = [...new Set(links.map(({ address }) => address.split('#')[0] as string))]
    for (const url of some(pages.filter((_, place) => place % scaled(9, 1) === 0))) {
      const accept = url === '/graphql' ? 'text/html' : '*/*'
      const reply = await server.server.inject({ url, headers: { accept } })
      expect([url, reply.statusCode]).toEqual([url, 200])
    }
  })

  it('and /docs say that a lake is empty', async () => {
    const empty = await buildTestServer(await temporaryFolder())
    expect((await get('/llms.txt', empty)).body).toContain('Nothing has been ingested yet')
    expect((await get('/docs', empty)).body).toContain('Nothing has been ingested yet')
  })
})

describe('the reference page', () => {
  it('allows only its own script and style, and no frame', async () => {
    const { headers, body } = await get('/docs')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/]+='; style-src 'sha256-[\w+/]+='; img-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(body).not.toMatch(/(src|href)="(https?:)?\/\//)
    expect(body).not.toMatch(/ style="| on\w+="/)
  })

  it('escapes the text of records and of the Host header', async () => {
    const folder = await temporaryFolder()
    const name = `</pre><script>alert("x")</script> & 'y'`
    writeRecords(join(folder, 'makers.ndjson'), [makerRecord('a/b?c#d"<e>', { name })])
    const own = join(folder, 'lake')
    await ingestInto(own, [join(folder, 'makers.ndjson')])
    const other = await buildTestServer(own)
    const { body } = await get('/docs', other)
    expect(body.match(/<script>/g)).toHaveLength(1)
    expect(body).toContain(
      '&quot;name&quot;: &quot;&lt;/pre&gt;&lt;script&gt;alert(\\&quot;x\\&quot;)&lt;/script&gt; &amp; &#39;y&#39;&quot;',
    )
    const host = (await get('/docs', other, '"><script>alert(1)</script>')).body
    expect(host.match(/<script>/g)).toHaveLength(1)
  })

  it.each(['/docs', '/openapi.json', '/openapi-3.0.json', '/llms.txt'])(
    '%s differs between hosts only in its addresses, which are percent-encoded',
    async (path) => {
      const [one, other] = [await get(path), await get(path, undefined, "$&'(a).example")]
      expect(one.body).toContain('http://lake.example:8080/')
      expect(other.body).toContain('http://%24%26%27%28a%29.example/')
      expect(other.body).toBe(
        one.body.replaceAll('http://lake.example:8080', 'http://%24%26%27%28a%29.example'),
      )
    },
  )

  it('quotes the arguments of its shell commands', async () => {
    const { body } = await get('/docs')
    expect(body).toContain(
      'curl &#39;http://lake.example:8080/graphql&#39; \\\n  -H &#39;Content-Type: application/json&#39; \\\n  -d &#39;{&quot;query&quot;:&quot;{ status }&quot;}&#39;',
    )
    expect(body).toContain(
      'curl -G &#39;http://lake.example:8080/v1/net/l2/iot-reward-shares&#39; \\\n  -d from=2025-',
    )
  })
})

describe('OpenAPI security', () => {
  type Secured = { readonly security: readonly object[] }
  const securityIn = (text: string) =>
    operationsIn(JSON.parse(text) as Documented).map(
      ({ path, operation }) => [path, (operation as unknown as Secured).security] as const,
    )
  /** Operations that need no key in any case. */
  const free = ['/healthz', '/up', '/readyz', '/metrics']

  it.each([
    ['as specified', specifiedDialect],
    ...scaled([], [['for clients of the hosted service', relay] as const]),
  ] as const)(
    'lists the key as optional without keys and as required with keys, %s',
    async (_which, dialect) => {
      const open = await buildTestServer(lake, 60_000, undefined, { dialect })
      const { ask } = await gatedServer(lake, { options: { dialect } })
      const [unlocked, locked] = [
        securityIn((await get('/openapi.json', open)).body),
        securityIn((await ask('/openapi.json')).text),
      ]
      expect(unlocked.length).toBeGreaterThan(20)
      for (const [path, security] of unlocked) {
        expect([path, security]).toEqual([path, free.includes(path) ? [] : [{ key: expect.any(Array) }, {}]])
      }
      expect(locked).toEqual(unlocked.map(([path, security]) => [path, security.slice(0, 1)]))
      expect((await ask('/openapi.json?integers=string')).text).not.toContain('{"key":[]},{}')
    },
  )
})

describe('the documents', () => {
  it('the front page links the documents without JavaScript, and the JSON index lists them', async () => {
    const page = await server.server.inject({ url: '/', headers: { accept: 'text/html' } })
    for (const url of documents) expect(page.body).toContain(`<a href="${url}">${url}</a>`)
    const { links } = JSON.parse((await get('/')).body)
    expect(Object.values(links)).toEqual(expect.arrayContaining(documents))
  })

  it('require no key', async () => {
    const { ask } = await gatedServer(lake)
    for (const url of some(documents)) expect([url, (await ask(url)).status]).toEqual([url, 200])
  })

  it('show a generic example for an unreadable table, and real ones for the others', async () => {
    const broken = (engine: Engine) =>
      aroundRows(engine, async (plan, _, next) => {
        if (plan.resource.name === 'l1_packets') throw new Error('a file is gone')
        return await next()
      })
    const other = await buildTestServer(lake, 60_000, broken)
    const { statusCode, body } = await get('/openapi.json', other)
    expect(statusCode).toBe(200)
    const { paths } = JSON.parse(body) as Documented
    const addressOf = (path: string) => exampleAddress(path, paths[path]?.get ?? { responses: {} })
    expect(addressOf('/v1/net/l1/packets')).toBe('/v1/net/l1/packets?per_page=1')
    expect(addressOf('/v1/net/l1/rewards')).toContain('transaction_hash=')
  })
})

describe('the HTML template', () => {
  it('escapes every value that is not HTML, also in arrays, and omits undefined', () => {
    const given = `<b a="x" b='y'>&`
    const escaped = '&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;'
    expect(html`<p>${given}</p>`.text).toBe(`<p>${escaped}</p>`)
    expect(html`${[given, html`<i>${given}</i>`, undefined, 2n]}`.text).toBe(`${escaped}<i>${escaped}</i>2`)
  })

  it('renders backquoted words as code', () => {
    expect(prose('ask `a<b` now').text).toBe('ask <code>a&lt;b</code> now')
  })
})
