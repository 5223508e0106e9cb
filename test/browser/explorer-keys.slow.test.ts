import { describe, expect, it, onTestFinished } from 'vitest'
import { builtExplorer } from '../support/build-explorer.ts'
import { browserPath } from '../support/servers/browser.ts'
import { watch } from '../support/servers/explorer-page.ts'
import { gatedServer } from '../support/servers/gated-server.ts'
import { servedExplorer } from '../support/servers/served-explorer.ts'

const hotspot = '11pCSNmPiUNvrY1aUQWpjbrThApdhr1afqrnDpbPdfJs2w5jHC8'

describe.skipIf(browserPath === undefined)('a link with a key', () => {
  const served = servedExplorer()

  it('opens the pages of a server, and is in no request but as a header', async () => {
    const gated = await gatedServer(served.lake, { options: { explorer: await builtExplorer() } })
    const at = await gated.test.server.listen({ host: '127.0.0.1', port: 0 })
    const key = await gated.newKey()
    const page = await served.browser.newPage()
    onTestFinished(() => page.close())
    const { asked } = watch(page)
    const sent: (string | undefined)[] = []
    page.on('request', (request) => sent.push(request.headers().authorization))
    const address = `${at}/hotspot/${hotspot}?first=2025-01-27&last=2025-01-31`
    await page.goto(`${address}#key=${key}`)
    await page.locator('.card').first().waitFor()
    expect(page.url()).toBe(address)
    expect(asked.length).toBeGreaterThan(5)
    expect(asked.filter((url) => url.includes(key))).toEqual([])
    expect(sent).toContain(`Bearer ${key}`)
    expect(await page.getByLabel('API key').count()).toBe(0)
    // The tab has no entry with the key to go back to.
    expect(await page.evaluate('history.length')).toBe(2)

    // In a tab that shows the form, the link is taken without a new page load.
    const other = await served.browser.newPage()
    onTestFinished(() => other.close())
    await other.goto(address)
    await other.getByLabel('API key').first().waitFor()
    await other.evaluate(`location.hash = 'key=${key}'`)
    await other.locator('.card').first().waitFor()
    expect(other.url()).toBe(address)
    await other.getByRole('button', { name: 'Forget my key' }).waitFor()
  })
})
