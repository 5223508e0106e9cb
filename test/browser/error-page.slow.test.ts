import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { smallLake } from '../support/lakes/small-lake.ts'
import { browserPath, openBrowser } from '../support/servers/browser.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { violationsOn } from '../support/servers/explorer-page.ts'
import { gatedServer } from '../support/servers/gated-server.ts'

const widths = [360, 1280]
const schemes = ['light', 'dark'] as const
const faulty = '/v1/net/l2/hotspots?networks=smoke&colour=red&maker_id=x&iot_location=y'

describe.skipIf(browserPath === undefined)('an error in a browser', () => {
  let address: string
  let lockedAddress: string
  let browser: Browser

  beforeAll(async () => {
    const lake = await smallLake()
    const { server } = await buildTestServer(lake)
    address = await server.listen({ host: '127.0.0.1', port: 0 })
    const { test } = await gatedServer(lake)
    lockedAddress = await test.server.listen({ host: '127.0.0.1', port: 0 })
    browser = await openBrowser()
  })

  afterAll(async () => {
    await browser.close()
  })

  async function open(url: string, width: number, colorScheme: (typeof schemes)[number] = 'light') {
    const page = await browser.newPage({ viewport: { width, height: 740 }, colorScheme })
    onTestFinished(() => page.close())
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.goto(url)
    // A browser complains of the status itself.
    return {
      page,
      complaints: () => complaints.filter((text) => !text.includes('the server responded with')),
    }
  }

  const isWithin = (page: Page) =>
    page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')

  it.each(widths)('breaks no rule of axe and fits %d px', async (width) => {
    const urls = [`${address}/v1/net/l2/hotspot`, address + faulty, `${lockedAddress}/v1/net/status`]
    for (const scheme of schemes)
      for (const url of urls) {
        const { page, complaints } = await open(url, width, scheme)
        expect([url, scheme, await violationsOn(page)]).toEqual([url, scheme, []])
        expect([url, await isWithin(page), complaints()]).toEqual([url, true, []])
      }
  })

  it('has the colours of the reference, also the dark ones', async () => {
    for (const scheme of schemes) {
      const shown = await open(`${address}/nowhere`, 360, scheme)
      const reference = await open(`${address}/docs`, 360, scheme)
      const ground = 'getComputedStyle(document.body).backgroundColor'
      expect(await shown.page.evaluate(ground)).toBe(await reference.page.evaluate(ground))
    }
  })

  it('links to the probable address and to pages that explain', async () => {
    const { page } = await open(`${address}/v1/net/l2/maker`, 360)
    await page.getByRole('link', { name: '/v1/net/l2/makers' }).click()
    expect(page.url()).toBe(`${address}/v1/net/l2/makers`)
    await page.goBack()
    await page.getByRole('link', { name: 'Guide' }).click()
    expect(new URL(page.url()).pathname).toMatch(/^\/guide/)
  })
})
