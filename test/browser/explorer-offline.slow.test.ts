import type { BrowserContext } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { builtExplorer } from '../support/build-explorer.ts'
import { browserPath, settleExplorer } from '../support/servers/browser.ts'
import { textOf, violationsOn } from '../support/servers/explorer-page.ts'
import { gatedServer } from '../support/servers/gated-server.ts'
import { servedExplorer } from '../support/servers/served-explorer.ts'
import { some } from '../support/some.ts'

const key = '11pCSNmPiUNvrY1aUQWpjbrThApdhr1afqrnDpbPdfJs2w5jHC8'
const path = `/hotspot/${key}?first=2025-01-27&last=2025-01-31`

describe.skipIf(browserPath === undefined)('the explorer without a connection', () => {
  const served = servedExplorer()

  /** Opens a page in a new browser, and waits until its service worker has stored the pages. */
  async function install(address: string) {
    const context = await served.browser.newContext()
    onTestFinished(() => context.close())
    const urls: string[] = []
    context.on('request', (request) => urls.push(request.url()))
    const page = await context.newPage()
    await page.goto(address + path)
    await settleExplorer(page)
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    return { page, context, urls }
  }

  /** All addresses in the storage of the browser. */
  const storedBy = async (context: BrowserContext): Promise<readonly string[]> =>
    await (context.pages()[0] as NonNullable<ReturnType<BrowserContext['pages']>[0]>).evaluate(`(async () => {
      const stored = []
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) stored.push(new URL(url).pathname)
      return stored.sort()
    })()`)

  it('shows its pages and a plain sentence after a reload, no figure of before, and figures again later', async () => {
    const { page, context, urls } = await install(served.address)
    expect(await page.locator('.card').count()).toBeGreaterThan(2)
    expect(await page.locator('.offline').isVisible()).toBe(false)
    await context.setOffline(true)
    await page.reload()
    await page.locator('.offline').waitFor()
    expect(await textOf(page.locator('.offline'))).toMatch(
      /^No connection to the server\. Figures are never stored/,
    )
    expect(await page.locator('.card').count()).toBe(0)
    expect(await violationsOn(page)).toEqual([])
    await page.goto(`${served.address}/fleet`)
    await page.getByText('There is no hotspot in your list yet.').waitFor()
    await context.setOffline(false)
    await page.goto(served.address + path)
    await page.locator('.card').first().waitFor()
    expect(await page.locator('.offline').isVisible()).toBe(false)
    for (const url of some(urls)) expect(url.startsWith(`${served.address}/`)).toBe(true)
  })

  it('has stored the files of this build only, never a reply, also with a key', async () => {
    const gated = await gatedServer(served.lake, { options: { explorer: await builtExplorer() } })
    const at = await gated.test.server.listen({ host: '127.0.0.1', port: 0 })
    const { page, context } = await install(`${at}`)
    await page
      .getByLabel('API key')
      .first()
      .fill(await gated.newKey())
    await page.getByRole('button', { name: 'Use this key' }).first().click()
    await page.locator('.card').first().waitFor()
    await page.reload()
    await page.locator('.card').first().waitFor()
    const { explorer, files } = await builtExplorer()
    const chart = files.find(({ name }) => name.startsWith('uPlot'))?.name
    expect(await storedBy(context)).toEqual(
      ['/fleet', ...[explorer.script, ...explorer.styles, chart].map((name) => `/explorer/${name}`)].sort(),
    )
  })

  it('replaces the files of another build', async () => {
    const { page, context } = await install(served.address)
    await page.evaluate(`(async () => {
      for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister()
      const scope = location.origin + '/'
      await (await caches.open('ledgerlake ' + scope + ' old.js')).put('/explorer/old.js', new Response('old'))
      await (await caches.open('ledgerlake ' + scope + 'base/ old.js')).put('/base/explorer/old.js', new Response('old'))
    })()`)
    await page.reload()
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    await expect.poll(() => storedBy(context)).not.toContain('/explorer/old.js')
    // Another server below another path of this host.
    expect(await storedBy(context)).toContain('/base/explorer/old.js')
  })
})
