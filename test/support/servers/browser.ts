import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { unitsIn } from '../units-in.ts'

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** A browser that the system has; undefined where there is none. */
export const browserPath = candidates.find((path) => existsSync(path))

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}

/** Times in a row that nothing may be loading: one panel may bring others with it. */
const QUIET = 3

/** Waits until a page of the explorer loads nothing any more. */
export async function settleExplorer(page: Page): Promise<void> {
  await page.locator('main h1').waitFor()
  for (
    let quiet = 0;
    quiet < QUIET;
    quiet = (await page.locator('[aria-busy]').count()) === 0 ? quiet + 1 : 0
  )
    await page.waitForTimeout(60)
}

/** The sum of what a network paid, over the cards of a page, in base units. */
export async function unitsOn(page: Page, network: string): Promise<bigint> {
  await page.locator('.card').nth(1).waitFor()
  const texts = await page.locator(`.card data[data-network="${network}"]`).allTextContents()
  return texts.reduce((sum, text) => sum + unitsIn(text), 0n)
}
