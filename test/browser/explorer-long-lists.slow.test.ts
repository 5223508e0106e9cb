import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browserPath } from '../support/servers/browser.ts'
import { servedExplorer } from '../support/servers/served-explorer.ts'

const key = '11pCSNmPiUNvrY1aUQWpjbrThApdhr1afqrnDpbPdfJs2w5jHC8'
const DAYS = 10_000
const LAST = Date.parse('2025-02-05')
const dayAt = (place: number) => new Date(LAST - place * 86_400_000)
const FIRST = dayAt(DAYS - 1)
  .toISOString()
  .slice(0, 10)
/** Elements of a page of 366 rows. */
const MOST_ADDED = 366 * 10

const elementsOn = (page: Page): Promise<number> => page.evaluate("document.querySelectorAll('*').length")

describe.skipIf(browserPath === undefined)('10,000 days of a hotspot', () => {
  const served = servedExplorer()

  it.each([390, 1280])(
    'can all be scrolled to, but are never in the document at once, at %i px',
    async (width) => {
      const { page } = await served.open(`/hotspot/${key}?first=${FIRST}&last=2025-02-05`, {
        viewport: { width, height: 844 },
      })
      const before = await elementsOn(page)
      await page.getByRole('button', { name: `Show all ${DAYS}` }).click()
      const next = page.getByRole('button', { name: 'Next' })
      const days: string[] = []
      for (;;) {
        days.push(
          ...(await page
            .getByRole('region', { name: 'What was earned' })
            .locator('tbody th')
            .allTextContents()),
        )
        expect((await elementsOn(page)) - before).toBeLessThan(MOST_ADDED)
        await page.evaluate('scrollTo(0, document.body.scrollHeight)')
        if (await next.isDisabled()) break
        await next.click()
      }
      const expected = Array.from({ length: DAYS }, (_, place) =>
        dayAt(place)
          .toLocaleDateString('en-GB', {
            ...{ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
          })
          .replace('Sept', 'Sep'),
      )
      expect(days).toEqual(expected)
    },
  )

  it('have a calendar that lays out only its visible months', async () => {
    const { page } = await served.open(`/hotspot/${key}?first=${FIRST}&last=2025-02-05`)
    await page.locator('.month').first().scrollIntoViewIfNeeded()
    const [all, laidOut] = (await page.evaluate(`(() => {
      const months = [...document.querySelectorAll('.month-name')]
      return [months, months.filter((one) => one.checkVisibility({ contentVisibilityAuto: true }))].map(({ length }) => length)
    })()`)) as readonly [number, number]
    expect(all).toBe(330)
    expect(laidOut).toBeGreaterThan(0)
    expect(laidOut).toBeLessThan(150)
  })
})
