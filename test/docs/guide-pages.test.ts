import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { guideFiles } from '../../scripts/docs.ts'
import { renderMarkdown } from '../../scripts/guide/markdown.ts'
import { guidePictures, guideTexts } from '../../scripts/guide/site.ts'
import { outsideAddress } from '../../src/services/settings/addresses.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { some } from '../support/some.ts'

const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
const linksIn = (page: string) =>
  [...page.matchAll(/<(?:a|form)\b[^>]* (?:href|action)="([^"]*)"/g)].map(([, link = '']) => unescaped(link))
const idsIn = (page: string) => [...page.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)
const hrefsInIndex = (page: string) => [...page.matchAll(/"href":"([^"]*)"/g)].map(([, link = '']) => link)

/** Links of a page that lead nowhere, where `find` gives the text of the page at an address. */
function broken(page: string, find: (address: string) => string | undefined): readonly string[] {
  return [...new Set([...linksIn(page), ...hrefsInIndex(page)])].filter((link) => {
    const [address = '', anchor] = link.split('#')
    const text = address === '' ? page : find(address)
    if (text === undefined) return true
    return anchor !== undefined && anchor !== '' && !idsIn(text).includes(decodeURIComponent(anchor))
  })
}

describe('the guides as files', () => {
  const files = guideFiles()
  const names = [...files.keys()]

  it('have a page for each guide, reference and decision', () => {
    const expected = ['index.html', 'my-hotspots.html', 'asking.html', 'reference/errors.html', 'search.html']
    expect(names).toEqual(expect.arrayContaining(expected))
    expect(names.length).toBeGreaterThan(100)
  })

  it.each(names)('link from %s only to existing files and anchors', (name) => {
    const page = files.get(name) ?? ''
    expect(linksIn(page).length).toBeGreaterThan(20)
    expect(broken(page, (address) => files.get(posix.join(posix.dirname(name), address)))).toEqual([])
    expect(idsIn(page).filter((id, at, all) => all.indexOf(id) !== at)).toEqual([])
  })

  it('contain everything that the guides link to, including sources', () => {
    const guides = some(
      names.filter(
        (name) =>
          /^[\w-]+\.html$/.test(name) &&
          name !== 'changelog.html' &&
          name !== 'decisions.html' &&
          name !== 'threat-model.html',
      ),
    )
    expect(guides.filter((name) => files.get(name)?.includes('<span title='))).toEqual([])
    expect(linksIn(files.get('upgrade.html') ?? '')).toContain('source/test/lake/kept-lakes.test.ts.html')
    expect(files.get('source/test/lake/kept-lakes.test.ts.html')).toContain('import { ')
  })

  it('load nothing but pictures beside them, and link to no other host', () => {
    for (const page of some([...files.values()])) {
      expect(page).not.toMatch(
        /<(?:img src="(?!(?:\.\.\/)*images\/)|link rel="stylesheet"|script src|iframe)/,
      )
      expect(linksIn(page).filter((link) => /^(?:[a-z]+:|\/\/)/.test(link))).toEqual([])
    }
  })

  it('hold an index of every section of the guides, with its words', () => {
    const index = JSON.parse(/id="index">(.*)<\/script>/.exec(files.get('search.html') ?? '')?.[1] ?? '')
    expect(index).toContainEqual(
      expect.objectContaining({ href: 'asking.html#units', page: 'Asking', title: 'Units' }),
    )
    const { text } = index.find(({ href }: { href: string }) => href === 'analyst.html#never-glob')
    expect(text).toContain("read_parquet('data/lake/iot_reward_shares/**/*.parquet') is wrong.")
    expect(JSON.stringify(index).length).toBeLessThan(250_000)
  })

  it('show pictures with their size and description, at most half a megabyte of them', () => {
    const texts = guideTexts()
    const shown = [...(texts['docs/guide/explorer.md'] ?? '').matchAll(/!\[([^\]]+)\]\(\.\.\/(\S+\.png)\)/g)]
    for (const [, words, path] of some(shown))
      expect(files.get('explorer.html')).toMatch(
        new RegExp(`<img src="${path}" width="1200" height="\\d+" loading="lazy" alt="${words}">`),
      )
    expect(Object.keys(texts).filter((path) => path.endsWith('.png'))).toEqual([])
    const bytes = [...guidePictures().values()].reduce((sum, { length }) => sum + length, 0)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThan(500_000)
  })
})

describe.each(['', '/base'])('the guides served below %j', (base) => {
  let server: TestServer['server']
  beforeAll(async () => {
    const outside = outsideAddress.read(base) ?? expect.unreachable()
    server = (await buildTestServer(await smallLake(), 60_000, undefined, { outside })).server
  })
  const get = (url: string, headers = {}) => server.inject({ url, headers })

  it('can all be reached by links, and no link is broken', async () => {
    const pages = new Map<string, string>()
    const waiting = [`${base}/guide`]
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      if (pages.has(url)) continue
      const { statusCode, body, headers } = await get(url, { accept: 'text/html' })
      expect([url, statusCode]).toEqual([url, 200])
      pages.set(url, body)
      if (!url.startsWith(`${base}/guide`)) continue
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      waiting.push(...linksIn(body).flatMap((link) => link.split('#')[0] || []))
    }
    expect(pages.size).toBeGreaterThan(100)
    const dead = [...pages]
      .filter(([url]) => url.startsWith(`${base}/guide`))
      .flatMap(([, body]) => broken(body, (address) => pages.get(address)))
    expect(dead).toEqual([])
  })

  it('have a strict content policy, a fixed type, and deny frames', async () => {
    const { headers } = await get('/guide/asking')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['x-frame-options']).toBe('DENY')
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+'; img-src data: 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    )
  })

  it('have their pictures, byte for byte, at the addresses in their pages', async () => {
    const { body } = await get(`${base}/guide/explorer`)
    const addresses = [...body.matchAll(/<img src="([^"]+)"/g)].map(([, address = '']) => address)
    expect(addresses).toEqual([`${base}/guide/images/network.png`, `${base}/guide/images/fleet.png`])
    for (const address of some(addresses)) {
      const { rawPayload, headers } = await get(address)
      expect(headers['content-type']).toBe('image/png')
      expect(rawPayload.equals(readFileSync(`docs/images/${posix.basename(address)}`))).toBe(true)
    }
  })

  it('return 304 for their ETag', async () => {
    const { headers } = await get('/guide/asking')
    expect((await get('/guide/asking', { 'if-none-match': headers.etag })).statusCode).toBe(304)
  })

  it.each([
    '/guide/nothing',
    '/guide/../package.json',
    '/guide/%2e%2e/package.json',
    '/guide/__proto__',
    '/guide/source/package.json',
  ])('return 404 at %s', async (url) => {
    expect((await get(url)).statusCode).toBe(404)
  })

  it('are the same with a slash at the end', async () => {
    expect((await get('/guide/')).body).toBe((await get('/guide')).body)
  })
})

describe('markdown', () => {
  const rendered = (text: string) =>
    renderMarkdown(text, (link) => (link === 'gone.md' ? undefined : link)).html

  it.each([
    ['tags as text', 'a <script>alert(1)</script> b', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['blocks of tags as text', '<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['powers as powers', '10<sup>-8</sup>', '10<sup>-8</sup>'],
    ['quotes of an address', '[x](a"b)', '<a href="a&quot;b">x</a>'],
    [
      'a link that leads nowhere as its text',
      '[`x`](gone.md)',
      '<span title="gone.md"><code>x</code></span>',
    ],
    [
      'tables that can be wider than a phone',
      '| a |\n|---|\n| b |',
      '<div class="wide" tabindex="0"><table>',
    ],
    ['tables without a head', '| | |\n|---|---|\n| b | c |', '<table>\n\n<tbody>'],
    ['no head without text', '| a | |\n|---|---|\n| b | c |', '<th>a</th>\n<td></td>'],
    ['blocks that the keyboard can scroll', '```\na\n```', '<pre tabindex="0"><code>a'],
    ['a picture that it does not contain as its text', '![a "b"](gone.png)', '<em>a &quot;b&quot;</em>'],
  ])('has %s', (_, text, html) => {
    expect(rendered(text)).toContain(html)
  })

  it('numbers headings of one name, as GitHub does', () => {
    expect(idsIn(rendered('# `a` & B!\n\n## c\n\n## c'))).toEqual(['a--b', 'c', 'c-1'])
  })
})
