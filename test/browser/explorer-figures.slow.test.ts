import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { smallNetwork } from '../support/fixtures.ts'
import { browserPath } from '../support/servers/browser.ts'
import { textOf } from '../support/servers/explorer-page.ts'
import { servedExplorer } from '../support/servers/served-explorer.ts'

const key = '11pCSNmPiUNvrY1aUQWpjbrThApdhr1afqrnDpbPdfJs2w5jHC8'
const span = 'first=2025-01-25&last=2025-02-05'
const names = readFileSync(`${smallNetwork}/l2/hotspots.ndjson`, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Readonly<Record<'ecc_key' | 'name', string>>)

describe.skipIf(browserPath === undefined)('the figures of a page', () => {
  const served = servedExplorer()

  it('have equally many digits of USD in a column, and dollars in the caption of the chart', async () => {
    const { page } = await served.open(`/?${span}`)
    for (const region of ['What was earned', 'Who earned most', 'What hotspots were paid']) {
      const table = page.getByRole('region', { name: region }).locator('table')
      const texts = await table.locator('td[data-title=USD] data').allTextContents()
      const digits = new Set(texts.map((text) => text.split('.')[1]?.length))
      expect([region, texts.length > 1, digits.size]).toEqual([region, true, 1])
    }
    const [captioned] = await page.locator('.chart-caption').allTextContents()
    expect(captioned).toMatch(/^5 Feb 2025: (Data missing|\$\d)/)
  })

  it('have days in columns of weekdays, which a tap names', async () => {
    const { page } = await served.open(`/hotspot/${key}?${span}`, { viewport: { width: 390, height: 844 } })
    const days = await page.locator('.calendar ol .day').all()
    expect(days).toHaveLength(12)
    const columns = new Map<string, Set<number>>()
    for (const [index, day] of days.entries()) {
      const date = new Date(Date.UTC(2025, 0, 25 + index))
      const column = Math.round(((await day.boundingBox())?.x ?? 0) % 166)
      const weekday = date.toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' })
      columns.set(weekday, (columns.get(weekday) ?? new Set()).add(column))
    }
    expect(new Set([...columns.values()].map(({ size }) => size))).toEqual(new Set([1]))
    expect(new Set([...columns.values()].flatMap((one) => [...one])).size).toBe(7)
    await days[6]?.click()
    expect(await textOf(page.locator('.calendar [role=status]'))).toMatch(/^31 Jan 2025: /)
  })

  it('tell days without pay from days without data in each network', async () => {
    const { page } = await served.open(`/?${span}`)
    const rows = page.getByRole('region', { name: 'What was earned' }).locator('tbody tr')
    const missing = rows.filter({ has: page.locator('td[data-title=State] .missing') })
    expect(await missing.count()).toBeGreaterThan(0)
    for (const row of await missing.all())
      for (const network of ['IoT', 'Mobile'])
        expect(await textOf(row.locator(`td[data-title=${network}]`))).toMatch(/Data missing|HNT|IOT|MOBILE/)
    expect(await rows.locator('td:is([data-title=IoT], [data-title=Mobile])', { hasText: '–' }).count()).toBe(
      0,
    )
  })

  it('of two to six hotspots are lines in one chart, with their names', async () => {
    const few = names.slice(0, 5)
    const { page } = await served.open(`/fleet?keys=${few.map(({ ecc_key }) => ecc_key)}&${span}`)
    const listed = await page
      .getByRole('region', { name: 'Each hotspot: table' })
      .locator('th a')
      .allTextContents()
    expect(listed.length).toBeGreaterThan(1)
    expect(await page.locator('h3:text-is("One by one") + .key li').allTextContents()).toEqual(listed)
    expect(await page.getByRole('img', { name: /^Lines of what each hotspot earned/ }).count()).toBe(1)
    await page.goto(
      `${served.address}/fleet?keys=${names.slice(0, 20).map(({ ecc_key }) => ecc_key)}&${span}`,
    )
    await page.getByRole('region', { name: 'Each hotspot: table' }).waitFor()
    expect(await page.getByText('One by one').count()).toBe(0)
  })
})
