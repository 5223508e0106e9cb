import { describe, expect, it } from 'vitest'
import { browserPath } from '../support/servers/browser.ts'
import { violationsOn } from '../support/servers/explorer-page.ts'
import { servedExplorer } from '../support/servers/served-explorer.ts'
import { some } from '../support/some.ts'

/** Its record in the fixtures has one IoT cell, 632519799547275263, which is 8c729680d6aa7ff. */
const key = '11pCSNmPiUNvrY1aUQWpjbrThApdhr1afqrnDpbPdfJs2w5jHC8'
const cell = '8c729680d6aa7ff'
/** Its radios are in cells far from each other. */
const apart = '13Em2TM6PkHoLaerBPz3sY1ps3ZVBMpRNqzXsFXs4DbSFumVd1T'
const span = 'first=2025-01-27&last=2025-01-31'

describe.skipIf(browserPath === undefined)('the location of a hotspot', () => {
  const served = servedExplorer()

  it('is its cell in words with the request for it, and the browser contacts no other server', async () => {
    const { page, asked, complaints } = await served.open(`/hotspot/${key}?${span}`)
    const place = page.getByRole('region', { name: 'Where it is', exact: true })
    const facts = await place.locator('dd').allTextContents()
    expect(facts.slice(0, 2)).toEqual([`${cell} Copy`, '5.25581° S, 131.89589° E'])
    expect(facts[2]).toBe('-5.25581, 131.89589 Copy')
    expect(facts[3]).toMatch(/^(1|2)\d(\.\d)? m across, resolution 12 of 15$/)
    await place.getByText('The request behind this').click()
    expect(await place.locator('.requests a').getAttribute('href')).toBe(
      '/v1/net/h3-cells/632519799547275263',
    )
    for (const url of some(asked))
      expect(url.startsWith(`${served.address}/`) || url.startsWith('data:')).toBe(true)
    expect(complaints).toEqual([])
  })

  it('has two cells if its radios are apart', async () => {
    const { page } = await served.open(`/hotspot/${apart}?${span}`)
    const titles = await page.getByRole('heading', { name: /^Where/ }).allTextContents()
    expect(titles).toEqual(['Where its IoT radio is', 'Where its Mobile radio is'])
    const places = page.getByRole('region', { name: /^Where/ })
    const cells = await places.locator('dl > div:first-child code').allTextContents()
    expect([cells.length, new Set(cells).size]).toEqual([2, 2])
  })

  it('is shown as unknown if none was asserted', async () => {
    const page = await served.browser.newPage()
    await page.route(/\/l2\/hotspots\//, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll(/"location":\d+/g, '"location":null')
      await route.fulfill({ response, body })
    })
    await page.goto(`${served.address}/hotspot/${key}?${span}`)
    const place = page.getByRole('region', { name: 'Where it is', exact: true })
    await place.getByText('No place was asserted').waitFor()
    expect(await place.locator('dd').count()).toBe(0)
    await page.close()
  })

  it.each([
    [360, 'light'],
    [360, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('has nothing that axe objects to and fits %i pixels in %s', async (width, colorScheme) => {
    const { page, complaints } = await served.open(`/hotspot/${apart}?${span}`, {
      ...{ viewport: { width, height: 800 }, colorScheme },
    })
    expect(await page.getByText(/resolution \d+ of 15/).count()).toBe(2)
    expect(await violationsOn(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    expect(complaints).toEqual([])
  })
})
