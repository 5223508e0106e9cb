import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { servedGuide, writeGuide } from '../../scripts/docs.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { browserPath, openBrowser } from '../support/servers/browser.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { violationsOn } from '../support/servers/explorer-page.ts'
import { some } from '../support/some.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type Browser = Awaited<ReturnType<typeof openBrowser>>

describe.skipIf(browserPath === undefined)('the guide in a browser', () => {
  let address: string
  let browser: Browser
  const asked: string[] = []
  const complaints: string[] = []

  beforeAll(async () => {
    const { server } = await buildTestServer(await smallLake())
    address = await server.listen({ host: '127.0.0.1', port: 0 })
    browser = await openBrowser()
  })

  afterAll(async () => {
    await browser.close()
  })

  async function open(url: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage(options)
    onTestFinished(() => page.close())
    asked.length = 0
    complaints.length = 0
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(url)
    return page
  }

  async function search(page: Page, words: string): Promise<void> {
    await page.getByLabel('Search the guide').fill(words)
    await page.getByRole('button', { name: 'Find' }).click()
    await page
      .getByRole('status')
      .getByText(/sections?$/)
      .waitFor()
  }

  it('finds sections by their words, and sends no request', async () => {
    const page = await open(`${address}/guide/asking`)
    await search(page, 'glob TWICE')
    const found = await page.locator('#found a').allTextContents()
    expect(some(found)).toContain('SQL and data frames: Never glob')
    expect(await page.getByLabel('Search the guide').inputValue()).toBe('glob TWICE')
    await page.getByRole('link', { name: 'SQL and data frames: Never glob' }).click()
    expect(page.url()).toBe(`${address}/guide/analyst#never-glob`)
    const own = [
      `${address}/guide/asking`,
      `${address}/guide/search?q=glob+TWICE`,
      `${address}/guide/analyst`,
    ]
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual(own)
    expect(complaints).toEqual([])
  })

  it('reports when nothing is found, and shows the search text escaped', async () => {
    const page = await open(
      `${address}/guide/search?q=${encodeURIComponent('<img src=x onerror=alert(1)>zzz')}`,
    )
    expect(await page.getByRole('status').textContent()).toBe('Nothing has all these words.')
    expect(await page.locator('img').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('can be searched when opened as files', async () => {
    const folder = await temporaryFolder()
    writeGuide(folder)
    const page = await open(pathToFileURL(join(folder, 'reference/errors.html')).href)
    await search(page, 'never glob')
    await page.getByRole('link', { name: 'SQL and data frames: Never glob' }).click()
    expect(page.url()).toBe(`${pathToFileURL(join(folder, 'analyst.html')).href}#never-glob`)
    expect(asked.filter((url) => !/^(?:file|data):/.test(url))).toEqual([])
  })

  /** Scrolls to each picture of a page, and returns its width and its scaled width; 0 if it did not load. */
  async function shownPictures(page: Page): Promise<readonly (readonly [number, number])[]> {
    for (const picture of await page.locator('main img').all()) await picture.scrollIntoViewIfNeeded()
    await page.waitForFunction('[...document.images].every(({ complete }) => complete)')
    return await page.evaluate('[...document.images].map((one) => [one.naturalWidth, one.clientWidth])')
  }

  it.each([
    ['my-hotspots', [390]],
    ['explorer', [1200, 1200]],
  ] as const)(
    'shows the pictures of %s on a phone, within its width, from server and files',
    async (name, widths) => {
      const folder = await temporaryFolder()
      writeGuide(folder)
      for (const url of [`${address}/guide/${name}`, pathToFileURL(join(folder, `${name}.html`)).href]) {
        const page = await open(url, { viewport: { width: 390, height: 844 } })
        const shown = await shownPictures(page)
        expect([url, shown.map(([width]) => width)]).toEqual([url, widths])
        for (const [, width] of shown) expect(width).toBeLessThanOrEqual(358)
        expect([url, complaints]).toEqual([url, []])
      }
    },
  )

  it.each(['light', 'dark'] as const)('breaks no rule of axe on any page in %s', async (colorScheme) => {
    const guides = servedGuide().pages.filter(([name]) => !name.includes('/'))
    expect(guides.length).toBeGreaterThan(30)
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme })
    onTestFinished(() => page.close())
    for (const [name] of guides) {
      await page.goto(`${address}/guide${name === '' ? '' : `/${name}`}`)
      expect([name, await violationsOn(page)]).toEqual([name, []])
    }
    await page.setViewportSize({ width: 1280, height: 844 })
    await page.goto(`${address}/guide/my-hotspots`)
    expect(await violationsOn(page)).toEqual([])
  })

  it.each(['', '/asking', '/analyst', '/compat-relay', '/search?q=day', '/reference/resources'])(
    'fits the width of a phone at /guide%s',
    async (path) => {
      const page = await open(`${address}/guide${path}`, { viewport: { width: 360, height: 740 } })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
      expect((await page.locator('h1').boundingBox())?.y).toBeLessThan(300)
      expect(await page.locator('.contents').isVisible()).toBe(false)
      expect(await page.getByRole('link', { name: 'All pages' }).isVisible()).toBe(true)
    },
  )

  it('is dark if the browser prefers dark', async () => {
    const ground = async (colorScheme: 'light' | 'dark') => {
      const page = await open(`${address}/guide`, { colorScheme })
      return await page.evaluate('getComputedStyle(document.body).backgroundColor')
    }
    expect([await ground('light'), await ground('dark')]).toEqual(['rgb(255, 255, 255)', 'rgb(20, 23, 26)'])
  })
})
