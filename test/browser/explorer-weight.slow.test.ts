import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { smallNetwork } from '../support/fixtures.ts'
import { browserPath, settleExplorer } from '../support/servers/browser.ts'
import { servedExplorer } from '../support/servers/served-explorer.ts'

const MOST_BYTES = 200_000
const key = '11pCSNmPiUNvrY1aUQWpjbrThApdhr1afqrnDpbPdfJs2w5jHC8'
const hotspots = readFileSync(`${smallNetwork}/l2/hotspots.ndjson`, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Readonly<Record<'ecc_key' | 'name' | 'owner', string>>)
const listed = hotspots.find(({ ecc_key }) => ecc_key === key) as (typeof hotspots)[number]
const span = 'first=2025-01-25&last=2025-02-05'

/** Document, style, script and chart, and the replies. Once for all pages a browser also loads the service worker with the document, the manifest and the icon. */
const pages: readonly (readonly [name: string, path: string, most: number])[] = [
  ['the network', `/?${span}`, 9],
  ['a hotspot', `/hotspot/${key}?${span}`, 14],
  ['an owner', `/owner/${listed.owner}?${span}`, 10],
  ['a fleet of four', `/fleet?keys=${hotspots.slice(0, 4).map(({ ecc_key }) => ecc_key)}&${span}`, 12],
]

describe.skipIf(browserPath === undefined)('the first visit to a page', () => {
  const served = servedExplorer()

  it.each(pages)('of %s takes less than 200 KB and few requests', async (_, path, most) => {
    // A new context has an empty cache.
    const context = await served.browser.newContext()
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      if (!request.url().startsWith('data:'))
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    })
    await page.goto(served.address + path)
    await page.locator('.chart canvas').first().waitFor()
    await settleExplorer(page)
    const bytes = await Promise.all(sizes)
    expect(bytes.length).toBeGreaterThan(6)
    expect(bytes.length).toBeLessThanOrEqual(most)
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(MOST_BYTES)
  })
})
