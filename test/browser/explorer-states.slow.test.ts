import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { builtExplorer } from '../support/build-explorer.ts'
import { browserPath } from '../support/servers/browser.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { openExplorer, textOf, violationsOn } from '../support/servers/explorer-page.ts'
import { gatedServer } from '../support/servers/gated-server.ts'
import { servedExplorer } from '../support/servers/served-explorer.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const key = '11pCSNmPiUNvrY1aUQWpjbrThApdhr1afqrnDpbPdfJs2w5jHC8'
const span = 'first=2025-01-27&last=2025-01-31'
const keysOf = (count: number) => [
  key,
  ...Array.from({ length: count - 1 }, (_, place) =>
    `11nobody${place + 1111}`.padEnd(51, '1').replaceAll('0', 'z'),
  ),
]

describe.skipIf(browserPath === undefined)('the explorer', () => {
  const served = servedExplorer()

  async function blank() {
    const page = await served.browser.newPage()
    onTestFinished(() => page.close())
    return page
  }

  it('says how many hotspots of a long list it shows, and keeps all of them', async () => {
    const { page, settled, asked } = await served.open('/fleet')
    await page.getByLabel('Keys or names of hotspots').fill(keysOf(1250).join('\n'))
    await page.getByRole('button', { name: 'Show these' }).click()
    const note = page.getByRole('note')
    await note.waitFor()
    await settled()
    expect(await textOf(note)).toMatch(/^The first 200 of the 1,250 hotspots of your list are shown/)
    expect((await page.getByLabel('Keys or names of hotspots').inputValue()).split('\n')).toHaveLength(1250)
    const sums = asked.findLast((url) => url.includes('totals/series?hotspot_key')) ?? ''
    expect(new URL(sums).searchParams.get('hotspot_key')?.split(',')).toHaveLength(200)
    expect(await violationsOn(page)).toEqual([])
    for (const link of await note.getByRole('link').all())
      expect((await fetch(served.address + (await link.getAttribute('href')))).status).toBe(200)
    await page.goto(`${served.address}/fleet?keys=${keysOf(200).join(',')}&${span}`)
    await settled()
    expect(await page.getByRole('note').count()).toBe(0)
  })

  it.each([
    [1234, 1000, 1],
    [1000, 1000, 0],
    [1234, 999, 0],
  ])(
    'shows an owner of %d hotspots, of which the server returns %d, as cut',
    async (hotspots, groups, notes) => {
      const page = await blank()
      await page.route(/iot-reward-shares.*group_by=hotspot.*/, async (route) => {
        const records = Array.from({ length: groups }, (_, place) => ({
          ...{ start: null, token: 'iot_reward_token_iot', group: `11k${place}`, earned: 1, usd: '0.1' },
        }))
        await route.fulfill({ json: { records, meta: { hotspots } } })
      })
      await page.route(/mobile-reward-shares.*group_by=hotspot.*/, (route) =>
        route.fulfill({ json: { records: [], meta: { hotspots } } }),
      )
      const { owner } = JSON.parse(await (await fetch(`${served.address}/v1/net/l2/hotspots/${key}`)).text())
      await page.goto(`${served.address}/owner/${owner}?${span}`)
      const each = page.getByRole('region', { name: 'Each hotspot', exact: true })
      await each.getByRole('row').nth(1).waitFor()
      expect(await each.getByRole('note').count()).toBe(notes)
      if (notes > 0)
        expect(await textOf(each.getByRole('note'))).toMatch(
          /^1,000 of 1,234 hotspots are shown, .* the statement below has every reward\.$/,
        )
    },
  )

  it('names the features that a key lacks, and shows the rest of the page', async () => {
    const gated = await gatedServer(served.lake, { options: { explorer: await builtExplorer() } })
    const at = await gated.test.server.listen({ host: '127.0.0.1', port: 0 })
    const weak = await gated.newKey({ features: ['HotspotData', 'OracleData'] })
    const page = await blank()
    await page.addInitScript(`sessionStorage.setItem('ledgerlake-key', '${weak}')`)
    await page.goto(`${at}/hotspot/${key}?${span}`)
    const refused = page.getByRole('alert')
    await refused.waitFor()
    expect(await textOf(refused)).toBe(
      'This key may not see thisThis operation needs the feature Aggregates; the features of this key are: HotspotData, OracleData.Try again',
    )
    await page.getByText('Maker', { exact: true }).waitFor()
    expect(await page.getByLabel('API key').count()).toBe(0)
    expect(await violationsOn(page)).toEqual([])
  })

  it('shows that it is loading, then that it takes long, and shows a response that arrives after 5 s', async () => {
    const page = await blank()
    await page.route(/totals\/series/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 5000))
      await route.continue()
    })
    await page.goto(`${served.address}/hotspot/${key}?${span}`)
    const earnings = page.getByRole('region', { name: 'Earnings', exact: true })
    await earnings.getByText('Loading…').waitFor()
    expect(await earnings.getAttribute('aria-busy')).toBe('true')
    await earnings.getByText('Still loading. A shorter range is faster.').waitFor()
    await page.locator('.card').first().waitFor()
    expect(await earnings.locator('> .panel-body > .loading').count()).toBe(0)
    expect(await earnings.getAttribute('aria-busy')).toBeNull()
  })

  it('reports an unreachable server, still opens the list of hotspots, and continues when it is back', async () => {
    const { page, settled } = await served.open(`/hotspot/${key}?${span}`)
    await page.route(/.*/, (route) => route.abort('connectionrefused'))
    // It needs no reply, and no script that the browser lacks.
    await page.getByRole('link', { name: 'My hotspots', exact: true }).click()
    await page.getByText('There is no hotspot in your list yet.').waitFor()
    await page.getByRole('link', { name: 'Network', exact: true }).click()
    await page.getByRole('alert').first().waitFor()
    expect(await textOf(page.getByRole('alert').first())).toBe(
      'No connectionThe server cannot be reached. Is this device online?Try again',
    )
    await page.unroute(/.*/)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.locator('.card').first().waitFor()
    await settled()
    expect(await textOf(page.locator('main h1'))).toBe('What did a hotspot earn?')
  })

  it('reports an unreachable server if the script of the chart cannot be loaded, next to the loaded data', async () => {
    const page = await blank()
    await page.route(/uPlot.*\.js/, (route) => route.abort('connectionrefused'))
    await page.goto(`${served.address}/hotspot/${key}?${span}`)
    const earnings = page.getByRole('region', { name: 'Earnings', exact: true })
    expect(await textOf(earnings.getByRole('alert'))).toBe(
      'No connectionThe server cannot be reached. Is this device online?Try again',
    )
    expect(await earnings.locator('.card').count()).toBeGreaterThan(2)
  })

  it('says that nothing has been ingested yet', async () => {
    const empty = join(await temporaryFolder(), 'lake')
    await mkdir(empty)
    const { server } = await buildTestServer(empty, 60_000, undefined, { explorer: await builtExplorer() })
    const at = await server.listen({ host: '127.0.0.1', port: 0 })
    const { page } = await openExplorer(served.browser, `${at}/`)
    const texts = await page.getByRole('region', { name: 'Earnings', exact: true }).allTextContents()
    expect(texts.join()).toMatch(/has no (rewards|data) yet|Nothing has been ingested yet/)
    expect(await page.getByText(/undefined|null|NaN/).count()).toBe(0)
  })
})
