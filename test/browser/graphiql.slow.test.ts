import { describe, expect, it, onTestFinished } from 'vitest'
import { browserPath, openBrowser } from '../support/browser.ts'
import { buildTestServer } from '../support/build-test-server.ts'
import { smallLake } from '../support/small-lake.ts'

describe.skipIf(browserPath === undefined)('GraphiQL in a browser', () => {
  it('shows its page, reads the schema and answers a query, and asks nobody but this server', async () => {
    const server = await buildTestServer(await smallLake())
    const address = await server.server.listen({ host: '127.0.0.1', port: 0 })
    const browser = await openBrowser()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))

    await page.goto(`${address}/graphql`)
    await page.getByText('Docs', { exact: true }).click()
    await page
      .getByRole('link', { name: 'Query' })
      .or(page.getByText('Query', { exact: true }))
      .first()
      .waitFor()
    await page.getByTitle(/Execute Query/).click()
    const shown = page.locator('.result-window')
    await shown.getByText('gateway_reward').first().waitFor()
    const result = await shown.textContent()
    expect(result).toContain('iotRewardShares')
    expect(result).not.toContain('errors')
    expect(complaints).toEqual([])
    const outside = asked.filter((url) => !url.startsWith(`${address}/`) && !url.startsWith('data:'))
    expect(outside).toEqual([])
    expect(asked.length).toBeGreaterThanOrEqual(3)
  })
})
