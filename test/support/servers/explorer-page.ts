import axe from 'axe-core'
import type { Browser, Locator, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { settleExplorer } from './browser.ts'

/** A page of the explorer, and what it did. */
export interface Watched {
  readonly page: Page
  /** Addresses that it asked for. */
  readonly asked: readonly string[]
  /** Errors that it made. */
  readonly complaints: readonly string[]
  /** Waits until nothing is loading any more. */
  settled(): Promise<void>
}

export type PageOptions = Parameters<Browser['newPage']>[0]

/** Opens a page, which is closed with the test. */
export async function openExplorer(
  browser: Browser,
  url: string,
  options: PageOptions = {},
): Promise<Watched> {
  const page = await browser.newPage(options)
  onTestFinished(() => page.close())
  const watched = watch(page)
  await page.goto(url)
  await settleExplorer(page)
  return { page, ...watched, settled: () => settleExplorer(page) }
}

/** Addresses that a page asks for from now on, and errors that it makes. */
export function watch(page: Page): Pick<Watched, 'asked' | 'complaints'> {
  const asked: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return { asked, complaints }
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** What axe finds wrong on a page, as rules with the elements that break them. */
export async function violationsOn(page: Page): Promise<readonly string[]> {
  // What is evaluated by the driver is not bound by the policy of the page.
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as { readonly violations: readonly Violation[] }
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Texts of cards and tables that are wider than their place. */
export async function cutOffOn(page: Page): Promise<readonly string[]> {
  return await page.evaluate(
    `[...document.querySelectorAll('.card, .table')]
      .filter((place) => place.scrollWidth > place.clientWidth)
      .map((place) => place.textContent)`,
  )
}

export const textOf = async (place: Locator) => (await place.textContent()) ?? ''
