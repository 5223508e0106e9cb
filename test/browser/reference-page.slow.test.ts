import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { smallLake } from '../support/lakes/small-lake.ts'
import { browserPath, openBrowser } from '../support/servers/browser.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { violationsOn } from '../support/servers/explorer-page.ts'
import { some } from '../support/some.ts'

type Browser = Awaited<ReturnType<typeof openBrowser>>

interface Watched {
  readonly page: Page
  /** Addresses that the page asked for, in their order. */
  readonly asked: string[]
  readonly complaints: string[]
}

describe.skipIf(browserPath === undefined)('the reference page in a browser', () => {
  let lake: string
  let server: TestServer
  let address: string
  let browser: Browser

  beforeAll(async () => {
    lake = await smallLake()
    server = await buildTestServer(lake)
    address = await server.server.listen({ host: '127.0.0.1', port: 0 })
    browser = await openBrowser()
  })

  afterAll(async () => {
    await browser.close()
  })

  async function open(options: Parameters<Browser['newPage']>[0] = {}): Promise<Watched> {
    const page = await browser.newPage(options)
    onTestFinished(() => page.close())
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${address}/docs`)
    return { page, asked, complaints }
  }

  it('is one page that loads nothing else', async () => {
    const { page, asked, complaints } = await open()
    expect(await page.title()).toBe('ledgerlake: API reference')
    expect(await page.locator('section.operation').count()).toBeGreaterThan(18)
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([`${address}/docs`])
    expect(complaints).toEqual([])
  })

  it('sends a request and shows the unchanged text of the response, with every digit', async () => {
    const { page, asked, complaints } = await open()
    const section = page.locator('#get-hotspots')
    await section.getByText('Send it').click()
    await section.getByRole('button', { name: 'Send' }).click()
    await section
      .locator('output')
      .getByText(/^200 in \d+ ms$/)
      .waitFor()
    const shown = await section.locator('form pre').textContent()
    const url = asked.at(-1) ?? ''
    expect(url).toMatch(/\/v1\/net\/l2\/hotspots\?owner=/)
    expect(shown).toBe((await server.server.inject(url.slice(address.length))).body)
    const location = await section.getByLabel('iot_location').inputValue()
    expect(location).toMatch(/^6\d{17}$/)
    expect(shown).toContain(`"location":${location},`)
    expect(await section.locator('figure pre').last().textContent()).toContain(`"location": ${location},`)
    for (const one of some(asked)) expect(one.startsWith(`${address}/`) || one.startsWith('data:')).toBe(true)
    expect(complaints).toEqual([])
  })

  it('puts an id into the path, and shows the error of a wrong request', async () => {
    const { page, asked } = await open()
    const section = page.locator('#get-maker')
    await section.getByText('Send it').click()
    await section.getByLabel('id', { exact: true }).fill('no such/maker')
    await section.getByRole('button', { name: 'Send' }).click()
    await section.locator('output').getByText(/^404 /).waitFor()
    expect(asked.at(-1)).toBe(`${address}/v1/net/l2/makers/no%20such%2Fmaker`)
    expect(await section.locator('form pre').textContent()).toBe(
      '{"error":"Maker not found","code":"not_found"}',
    )
  })

  it('posts a query with the given key, and stores the key nowhere', async () => {
    const { page } = await open()
    const section = page.locator('#post-graphql')
    const headers: Record<string, string>[] = []
    page.on('request', (request) => headers.push(request.headers()))
    await page.getByLabel('API key').fill('some-key')
    await section.getByText('Send it').click()
    await section.getByRole('button', { name: 'Send' }).click()
    await section.locator('output').getByText(/^200 /).waitFor()
    expect(await section.locator('form pre').textContent()).toBe('{"data":{"status":"ok"}}')
    expect(headers.map(({ authorization }) => authorization)).toEqual(['Bearer some-key'])
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    )
    expect(kept).toBe('[{},{},""]')
    await page.reload()
    expect(await page.getByLabel('API key').inputValue()).toBe('')
  })

  it('can be read and navigated without scripts, and then has no forms', async () => {
    const { page } = await open({ javaScriptEnabled: false })
    expect(await page.locator('form:visible').count()).toBe(0)
    await page.locator('#get-mobile-reward-totals').getByRole('link', { name: 'open' }).click()
    expect(await page.locator('body').textContent()).toMatch(/^\{"total_dc_transfer_reward":\d+,/)
  })

  it('fits the width of a phone', async () => {
    const { page } = await open({ viewport: { width: 360, height: 740 } })
    await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true })')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  })

  it('begins with its text on a phone, and shows its operations on a tap, until one is chosen', async () => {
    const { page } = await open({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false })
    const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y
    expect(await top('main h1')).toBeLessThan(120)
    expect(await top('main p')).toBeLessThan(200)
    const operation = page.getByRole('link', { name: '/l2/hotspots/{id}', exact: true })
    expect(await operation.isVisible()).toBe(false)
    await page.getByRole('link', { name: 'All operations' }).click()
    await operation.click()
    expect(await operation.isVisible()).toBe(false)
    expect(Math.abs((await top('#get-hotspot')) ?? Number.NaN)).toBeLessThan(40)
    await page.getByRole('link', { name: 'Contents' }).click()
    expect(await operation.isVisible()).toBe(true)
  })

  it('names every operation by its path in the contents, also those of neither layer', async () => {
    const { page } = await open()
    const labels = await page.locator('nav .contents a').allTextContents()
    expect(labels).toEqual(
      expect.arrayContaining(['/l2/makers', '/files/l2/makers', '/search', '/statement/{id}']),
    )
    expect(labels.filter((label) => /^(\/\{id\})?$/.test(label))).toEqual([])
    expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([])
  })

  it.each(['light', 'dark'] as const)('breaks no rule of axe in %s', async (colorScheme) => {
    for (const width of [390, 1280]) {
      const { page } = await open({ viewport: { width, height: 844 }, colorScheme })
      expect([width, await violationsOn(page)]).toEqual([width, []])
    }
  })

  it('has a keyboard link to the text, past the list of operations', async () => {
    const { page } = await open()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('To the text')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${address}/docs#start`)
    expect(await page.evaluate('location.hash')).toBe('#start')
  })

  it('has a target for each of its links', async () => {
    const { page } = await open()
    const missing = await page.evaluate(
      `[...document.querySelectorAll('a[href^="#"]')].map((a) => a.getAttribute('href').slice(1))
        .filter((id) => document.getElementById(id) === null)`,
    )
    expect(missing).toEqual([])
    const twice = await page.evaluate(
      `[...document.querySelectorAll('[id]')].map(({ id }) => id).filter((id, at, all) => all.indexOf(id) !== at)`,
    )
    expect(twice).toEqual([])
  })
})
