import type { Browser, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { browserPath } from '../support/browser.ts'
import { builtExplorer } from '../support/build-explorer.ts'
import { textOf, violationsOn } from '../support/explorer-page.ts'
import { gatedServer } from '../support/gated-server.ts'
import { servedExplorer } from '../support/served-explorer.ts'
import { some } from '../support/some.ts'
import { tryGraphqlPage } from '../support/try-graphql-page.ts'

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
  const schemaKnown = (page: Page) => page.getByRole('heading', { name: 'Query', level: 3 }).waitFor()

  async function write(page: Page, text: string, name = 'Query'): Promise<void> {
    await editor(page, name).focus()
    await page.keyboard.press('Control+A')
    // Pasted, so that no bracket is closed and no name completed.
    await page.keyboard.insertText(text)
  }

  it('reads the schema, answers a query, and asks nobody but this server', async () => {
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

  it('completes names of the schema, and says which ones it does not have', async () => {
    const { page, complaints } = await open(`${served.address}/graphql`)
    await schemaKnown(page)
    await editor(page, 'Query').focus()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('{ hotspots(first: 1) { nodes { na')
    await page.locator('.cm-tooltip-autocomplete').getByText('name', { exact: true }).waitFor()
    await page.waitForTimeout(200)
    await page.keyboard.press('Enter')
    expect(await textOf(editor(page, 'Query'))).toBe('{ hotspots(first: 1) { nodes { name}}}')
    await page.keyboard.type(' nonsense')
    await page.getByText('Line 1: Cannot query field "nonsense" on type "Hotspot".').waitFor()
    expect(complaints).toEqual([])
  })

  it('carries the query in its address, and takes it from links that are older', async () => {
    const old = `${served.address}/graphql?query=${encodeURIComponent('{ status }')}`
    const { page } = await open(old)
    expect(await textOf(editor(page, 'Query'))).toBe('{ status }')
    await write(page, 'query A { status } query B { echo(message: "b") }')
    await page.keyboard.press('Control+Enter')
    await reply(page).getByText('"echo"').waitFor()
    expect(new URL(page.url()).search).toBe('')
    const other = await open(page.url())
    expect(await textOf(editor(other.page, 'Query'))).toContain('query B')
    await other.page.getByRole('button', { name: 'Run' }).click()
    await reply(other.page).getByText('"echo"').waitFor()
  })

  it('lists what was run last, takes it up again, and forgets it', async () => {
    const { page } = await open(`${served.address}/graphql`)
    for (const text of ['query One { status }', 'query Two { status }', 'query One { status }']) {
      await write(page, text)
      await page.keyboard.press('Control+Enter')
      await facts(page).getByText('Status 200').waitFor()
    }
    await page.getByText('History').click()
    expect(await page.locator('.history li button').allTextContents()).toEqual(['One', 'Two'])
    await page.getByRole('button', { name: 'Two' }).click()
    expect(await textOf(editor(page, 'Query'))).toBe('query Two { status }')
    await page.getByRole('button', { name: 'Clear' }).click()
    expect(await page.locator('.history li').count()).toBe(0)
    expect(await page.evaluate('localStorage.length')).toBe(0)
  })

  it('browses the schema, and finds a field by its name', async () => {
    const { page } = await open(`${served.address}/graphql`)
    await page.getByLabel('Find a type').fill('rewardtype')
    await page.getByRole('button', { name: 'IotRewardShare.rewardType', exact: true }).click()
    await page.getByRole('heading', { name: 'IotRewardShare', exact: true }).waitFor()
    expect(await textOf(page.locator('.schema .marked .name'))).toBe('rewardType')
    await page.getByRole('navigation', { name: 'The way' }).getByRole('button', { name: 'Query' }).click()
    await page.locator('.fields li', { hasText: 'search: Hits!' }).getByText('1 argument').click()
    await page.getByText('q: String!').waitFor()
    await page.getByRole('button', { name: 'Hits!' }).click()
    await page.getByRole('heading', { name: 'Hits', exact: true }).waitFor()
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

  it('asks for the key where one is needed, and shares it with the explorer', async () => {
    const gated = await gatedServer(served.lake, { options: { explorer: await builtExplorer() } })
    const at = await gated.test.server.listen({ host: '127.0.0.1', port: 0 })
    const { page } = await open(`${at}/graphql`)
    const form = page.getByRole('region', { name: 'Schema' })
    await form.getByText('This server needs a key').waitFor()
    await form.getByLabel('API key').fill(await gated.newKey())
    await form.getByRole('button', { name: 'Use this key' }).click()
    await schemaKnown(page)
    await write(page, '{ status }')
    await page.keyboard.press('Control+Enter')
    await facts(page).getByText('Status 200').waitFor()
    await page.goto(`${at}/`)
    await page.locator('.card').first().waitFor()
    await page.goto(`${at}/graphql`)
    await schemaKnown(page)
    await page.getByRole('form', { name: 'API key' }).getByLabel('API key').fill('')
    await page.keyboard.press('Enter')
    await form.getByText('This server needs a key').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  it.each(['light', 'dark'] as const)(
    'has nothing that axe objects to, and fits phones, in %s',
    async (colorScheme) => {
      for (const width of [360, 800, 1280]) {
        const { page } = await open(`${served.address}/graphql`, {
          colorScheme,
          viewport: { width, height: 800 },
        })
        await schemaKnown(page)
        expect([width, await violationsOn(page)]).toEqual([width, []])
        await page.getByText('History').click()
        await page.getByRole('button', { name: 'Run' }).click()
        await facts(page).getByText('Status 200').waitFor()
        await page.getByText('8 arguments').first().click()
        await page.getByLabel('Find a type').fill('key')
        await page.getByRole('button', { name: 'Hit.key' }).waitFor()
        expect([width, await violationsOn(page)]).toEqual([width, []])
        expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width])
      }
    },
  )

  it('can be walked by keyboard, out of the editor too', async () => {
    const { page } = await open(`${served.address}/graphql`)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('To the page')
    await editor(page, 'Query').focus()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Variables')
  })
})
