import type { Browser, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { builtExplorer } from '../support/build-explorer.ts'
import { browserPath } from '../support/servers/browser.ts'
import { textOf, violationsOn } from '../support/servers/explorer-page.ts'
import { gatedServer } from '../support/servers/gated-server.ts'
import { servedExplorer } from '../support/servers/served-explorer.ts'
import { tryGraphqlPage } from '../support/servers/try-graphql-page.ts'
import { some } from '../support/some.ts'

describe.skipIf(browserPath === undefined)('the page for GraphQL in a browser', () => {
  const served = servedExplorer()

  /** Opens the page; `complaints` are errors that it made. */
  async function open(url: string, options: Parameters<Browser['newPage']>[0] = {}) {
    const page = await served.browser.newPage(options)
    onTestFinished(() => page.close())
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(url)
    await page.getByRole('heading', { name: 'Reply' }).waitFor()
    return { page, complaints }
  }

  const editor = (page: Page, name: string) => page.getByRole('textbox', { name })
  const reply = (page: Page) => page.getByLabel('Reply of the server')
  const facts = (page: Page) => page.locator('.answer-facts')
  const schemaText = (page: Page) => page.getByLabel('Schema of the server')
  const write = (page: Page, text: string, name = 'Query') => editor(page, name).fill(text)

  it('reads the schema, answers a query, and contacts no other server', async () => {
    await tryGraphqlPage(served.address)
  })

  it('shows the reply as the server wrote it, digit by digit, on Ctrl-Enter', async () => {
    const { page } = await open(`${served.address}/graphql`)
    const text = '{"data":{"hotspots":{"nodes":[{"name":"a","elevation":18446744073709551615,"gain":1.50}]}}}'
    await page.route('**/graphql', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 203, body: text }) : route.continue(),
    )
    const sent = page.waitForRequest((request) => request.postData()?.includes('$n') === true)
    await write(page, 'query Q($n: BigInt) { hotspots(iotLocation: $n) { nodes { name } } }')
    await write(page, '{"n": 18446744073709551617}', 'Variables')
    await page.keyboard.press('Control+Enter')
    expect((await sent).postData()).toContain('"variables":{"n": 18446744073709551617}')
    await facts(page).getByText('Status 203').waitFor()
    const shown = await textOf(reply(page))
    expect(shown.replace(/\s/g, '')).toBe(text)
    expect(shown).toContain('\n          "elevation": 18446744073709551615,')
    expect(await textOf(facts(page))).toMatch(/^Status 203 · \d+ ms · 91 B$/)
  })

  it('keeps the query in its address, and reads it from older links', async () => {
    const old = `${served.address}/graphql?query=${encodeURIComponent('{ status }')}`
    const { page } = await open(old)
    expect(await editor(page, 'Query').inputValue()).toBe('{ status }')
    await write(page, 'query A { status } query B { echo(message: "b") }')
    await page.keyboard.press('Control+Enter')
    await reply(page).getByText('"echo"').waitFor()
    expect(new URL(page.url()).search).toBe('')
    const other = await open(page.url())
    expect(await editor(other.page, 'Query').inputValue()).toContain('query B')
    await other.page.getByRole('button', { name: 'Run' }).click()
    await reply(other.page).getByText('"echo"').waitFor()
  })

  it('shows the schema with its descriptions', async () => {
    const { page } = await open(`${served.address}/graphql`)
    await schemaText(page).getByText('type Query {').waitFor()
    const text = await textOf(schemaText(page))
    expect(text).toContain('\ntype IotRewardShare {')
    expect(text.match(/"""/g)?.length).toBeGreaterThan(100)
  })

  it('goes back from an example to the query before', async () => {
    const { page, complaints } = await open(`${served.address}/graphql`)
    await write(page, '{ status }')
    await page.getByLabel('Examples').selectOption({ index: 2 })
    expect(await editor(page, 'Query').inputValue()).toContain('search(q: $q)')
    expect(await editor(page, 'Variables').inputValue()).toContain('"q"')
    await page.goBack()
    await expect.poll(() => editor(page, 'Query').inputValue()).toBe('{ status }')
    expect(await editor(page, 'Variables').inputValue()).toBe('')
    expect(complaints).toEqual([])
  })

  it('answers every example', async () => {
    const { page } = await open(`${served.address}/graphql`)
    const choice = page.getByLabel('Examples')
    const values = await choice.locator('option:not([value=""])').all()
    for (const option of some(values)) {
      const title = await textOf(option)
      await choice.selectOption({ label: title })
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await page.getByRole('button', { name: 'Run' }).click()
      const body = await (await answered).text()
      expect([title, body.includes('"errors"'), body.startsWith('{"data":{')]).toEqual([title, false, true])
    }
  })

  it('prompts for a key if one is required, and shares it with the explorer', async () => {
    const gated = await gatedServer(served.lake, { options: { explorer: await builtExplorer() } })
    const at = await gated.test.server.listen({ host: '127.0.0.1', port: 0 })
    const { page } = await open(`${at}/graphql`)
    const form = page.getByRole('region', { name: 'Schema' })
    await form.getByText('This server needs a key').waitFor()
    await form.getByLabel('API key').fill(await gated.newKey())
    await form.getByRole('button', { name: 'Use this key' }).click()
    await schemaText(page).waitFor()
    await write(page, '{ status }')
    await page.keyboard.press('Control+Enter')
    await facts(page).getByText('Status 200').waitFor()
    await page.goto(`${at}/`)
    await page.locator('.card').first().waitFor()
    await page.goto(`${at}/graphql`)
    await schemaText(page).waitFor()
    await page.getByRole('button', { name: 'Forget my key' }).click()
    await form.getByText('This server needs a key').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  it.each(['light', 'dark'] as const)('breaks no rule of axe and fits phones, in %s', async (colorScheme) => {
    for (const width of [360, 800, 1280]) {
      const { page } = await open(`${served.address}/graphql`, {
        colorScheme,
        viewport: { width, height: 800 },
      })
      await schemaText(page).waitFor()
      expect([width, await violationsOn(page)]).toEqual([width, []])
      await page.getByRole('button', { name: 'Run' }).click()
      await facts(page).getByText('Status 200').waitFor()
      expect([width, await violationsOn(page)]).toEqual([width, []])
      expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width])
    }
  })

  it('can be used by keyboard, which also leaves the fields', async () => {
    const { page } = await open(`${served.address}/graphql`)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('To the page')
    await editor(page, 'Query').focus()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Variables')
  })
})
