import type { Browser } from 'playwright-core'
import { settleExplorer, unitsOn } from '../../test/support/servers/browser.ts'

/** What a browser that has nothing of it yet loads for a page, and what it shows. */
export interface Visit {
  readonly requests: number
  /** Bytes of bodies as they are sent, compressed: of the document, scripts and styles, and of replies. */
  readonly fileBytes: number
  readonly replyBytes: number
  /** From the beginning of the navigation to the first drawn chart. */
  readonly chartMs: number
  /** First and last day that are shown. */
  readonly days: readonly [string, string]
  /** The sums on the cards of a network, added up in base units. */
  readonly units: Readonly<Record<'IoT' | 'Mobile', bigint>>
}

const watchChart = `globalThis.chartMs = 0
new MutationObserver((_, observer) => {
  if (document.querySelector('.chart canvas') === null) return
  observer.disconnect()
  requestAnimationFrame(() => setTimeout(() => { chartMs = performance.now() }))
}).observe(document, { childList: true, subtree: true })`

/** Opens a page with an empty cache and waits until nothing is loading any more. */
export async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const sizes: Promise<{ readonly isReply: boolean; readonly bytes: number }>[] = []
  page.on('requestfinished', (request) => {
    const isReply = request.resourceType() === 'fetch'
    if (!request.url().startsWith('data:'))
      sizes.push(request.sizes().then(({ responseBodySize: bytes }) => ({ isReply, bytes })))
  })
  await page.addInitScript(watchChart)
  await page.goto(url)
  await page.locator('.chart canvas').first().waitFor()
  await settleExplorer(page)
  const loaded = await Promise.all(sizes)
  const bytesOf = (isReply: boolean) =>
    loaded.filter((one) => one.isReply === isReply).reduce((sum, { bytes }) => sum + bytes, 0)
  const visited: Visit = {
    requests: loaded.length,
    fileBytes: bytesOf(false),
    replyBytes: bytesOf(true),
    chartMs: await page.evaluate('chartMs'),
    days: [await page.locator('#first').inputValue(), await page.locator('#last').inputValue()],
    units: { IoT: await unitsOn(page, 'IoT'), Mobile: await unitsOn(page, 'Mobile') },
  }
  await context.close()
  return visited
}
