import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { smallNetwork } from '../support/fixtures.ts'
import { browserPath } from '../support/servers/browser.ts'
import { textOf, violationsOn } from '../support/servers/explorer-page.ts'
import { servedExplorer } from '../support/servers/served-explorer.ts'

const hotspots = readFileSync(`${smallNetwork}/l2/hotspots.ndjson`, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Readonly<Record<'ecc_key' | 'name', string>>)
const names = hotspots.map(({ name }) => name).sort()
const last = hotspots.find(({ name }) => name === 'brave-0-heron')

describe.skipIf(browserPath === undefined)('the search box', () => {
  const served = servedExplorer()

  async function typed(text: string) {
    const { page, settled } = await served.open('/')
    await page.getByLabel('Find a hotspot').pressSequentially(text)
    await page.locator('.hits > *').first().waitFor()
    return { page, settled }
  }

  it('suggests names by any of their words, and says that there are more', async () => {
    const { page } = await typed('heron')
    const suggested = await page.locator('.hits a').allTextContents()
    expect(names.length).toBeGreaterThan(5)
    expect(suggested).toEqual(names.slice(0, 5).map((name) => `Hotspot ${name}`))
    expect(await textOf(page.locator('.hits > p'))).toBe('There are more hotspots than shown. Type more.')
    expect(await violationsOn(page)).toEqual([])
  })

  it('opens the only name that differs from the text by a letter', async () => {
    const { page, settled } = await served.open('/')
    await page.getByLabel('Find a hotspot').fill('brave 0 hreon')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${served.address}/hotspot/${last?.ecc_key}`)
    await settled()
    expect(await textOf(page.locator('main h1'))).toBe('brave-0-heron')
  })

  it('moves through its suggestions with the arrow keys, and closes them with Escape', async () => {
    const { page, settled } = await typed('heron')
    const focused = () => page.evaluate('document.activeElement.id || document.activeElement.textContent')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe(`Hotspot ${names[1]}`)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await focused()).toBe('search')
    await page.keyboard.press('ArrowUp')
    expect(await focused()).toBe(`Hotspot ${names[4]}`)
    await page.keyboard.press('Escape')
    expect([await focused(), await page.locator('.hits > *').count()]).toEqual(['search', 0])
    await page.getByLabel('Find a hotspot').fill('heron')
    await page.locator('.hits a').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await settled()
    expect(await textOf(page.locator('main h1'))).toBe(names[0])
  })
})
