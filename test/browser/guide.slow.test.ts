import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { guideFiles } from '../../scripts/docs.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { browserPath, openBrowser } from '../support/servers/browser.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
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
    for (const [file, text] of guideFiles()) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    }
    const page = await open(pathToFileURL(join(folder, 'reference/errors.html')).href)
    await search(page, 'never glob')
    await page.getByRole('link', { name: 'SQL and data frames: Never glob' }).click()
    expect(page.url()).toBe(`${pathToFileURL(join(folder, 'analyst.html')).href}#never-glob`)
    expect(asked.filter((url) => !/^(?:file|data):/.test(url))).toEqual([])
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
