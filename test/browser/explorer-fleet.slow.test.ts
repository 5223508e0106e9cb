import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hotspots as hotspotTable } from '../../src/catalog/l2/hotspots.ts'
import { builtExplorer } from '../support/build-explorer.ts'
import { smallNetwork } from '../support/fixtures.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { storeMadeUp } from '../support/lakes/store-made-up.ts'
import { browserPath } from '../support/servers/browser.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { openExplorer, textOf, violationsOn } from '../support/servers/explorer-page.ts'
import { servedExplorer } from '../support/servers/served-explorer.ts'

const phone = { viewport: { width: 390, height: 844 } }
const span = 'first=2025-01-27&last=2025-01-31'
const key = '11pCSNmPiUNvrY1aUQWpjbrThApdhr1afqrnDpbPdfJs2w5jHC8'
const hotspots = readFileSync(`${smallNetwork}/l2/hotspots.ndjson`, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Readonly<Record<'ecc_key' | 'name' | 'owner', string>>)
const listed = hotspots.find(({ ecc_key }) => ecc_key === key) as (typeof hotspots)[number]
const owned = hotspots.filter(({ owner }) => owner === listed.owner)

describe.skipIf(browserPath === undefined)('my hotspots', () => {
  const served = servedExplorer()

  it('answers each line of a pasted list, and replaces a misspelled name by a suggestion', async () => {
    const { page, settled } = await served.open('/fleet', phone)
    const misspelled = listed.name.replace('heron', 'hreon')
    await page.getByLabel('Keys or names of hotspots').fill(`${hotspots[0]?.name}\r\n${misspelled}; Able`)
    await page.getByRole('button', { name: 'Show these' }).click()
    await page.getByText('Did you mean').waitFor()
    await settled()
    const lines = await page.locator('.answers > ul li').allTextContents()
    expect(lines).toEqual([
      expect.stringMatching(`^“${misspelled}” is not found. Did you mean .*${listed.name}.*\\?$`),
      '“Able” is not found.',
    ])
    expect(await textOf(page.locator('.answers summary'))).toBe('1 of 3 found')
    expect(await violationsOn(page)).toEqual([])
    await page.getByRole('button', { name: listed.name, exact: true }).click()
    await page.locator('summary', { hasText: '2 of 3 found' }).waitFor()
    await settled()
    expect(new URL(page.url()).searchParams.get('keys')).toBe(`${hotspots[0]?.name},${listed.name},Able`)
    await page.locator('summary', { hasText: '2 of 3 found' }).click()
    expect(
      await page.locator('.answers details').getByRole('link', { name: listed.name }).getAttribute('href'),
    ).toBe(`/hotspot/${key}`)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.viewport.width)
  })

  it('offers the keys of a name that several hotspots have, and shows the others meanwhile', async () => {
    const lake = await smallLake()
    const same = { id: '00000000-0000-4000-8000-000000000001', asset_id: 'assetOfSame' }
    await storeMadeUp(lake, hotspotTable, {
      [join('more', 'hotspots.ndjson')]: [
        {
          ...same,
          ecc_key: '11same',
          owner: 'ownerOfSame',
          networks: ['iot'],
          name: String(hotspots[0]?.name),
        },
      ],
    })
    const { server } = await buildTestServer(lake, 60_000, undefined, { explorer: await builtExplorer() })
    const at = await server.listen({ host: '127.0.0.1', port: 0 })
    const path = `/fleet?keys=${hotspots[0]?.name},${listed.name}&${span}`
    const { page, settled } = await openExplorer(served.browser, at + path)
    const line = page.locator('.answers > ul li')
    expect(await textOf(line)).toMatch(
      new RegExp(`^“${hotspots[0]?.name}” is the name of 2 hotspots. Choose the key of one: `),
    )
    expect(await page.locator('.card').count()).toBeGreaterThan(2)
    await line.getByRole('button', { name: '11same' }).click()
    await settled()
    expect(new URL(page.url()).searchParams.get('keys')).toBe(`11same,${listed.name}`)
    expect(await line.count()).toBe(0)
  })

  it('takes all hotspots of an owner, and is in the address without any', async () => {
    const { page, settled } = await served.open(`/owner/${listed.owner}?${span}`)
    await page.getByRole('button', { name: 'Add all to my hotspots' }).click()
    await page.getByText(`${owned.length} added, 0 were in it.`).waitFor()
    await page.getByRole('button', { name: 'Add all to my hotspots' }).click()
    await page.getByText(`0 added, ${owned.length} were in it.`).waitFor()
    await page.getByRole('link', { name: 'My hotspots' }).click()
    await settled()
    const keys = new URL(page.url()).searchParams.get('keys')?.split(',')
    expect(keys?.toSorted()).toEqual(owned.map(({ ecc_key }) => ecc_key).sort())
  })
})
