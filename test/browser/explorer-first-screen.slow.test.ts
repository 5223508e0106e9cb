import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { cellToParent } from 'h3-js'
import { describe, expect, it } from 'vitest'
import { smallNetwork } from '../support/fixtures.ts'
import { browserPath } from '../support/servers/browser.ts'
import { textOf, violationsOn } from '../support/servers/explorer-page.ts'
import { servedExplorer } from '../support/servers/served-explorer.ts'
import { some } from '../support/some.ts'
import { unitsIn } from '../support/units-in.ts'

const phone = { viewport: { width: 390, height: 844 } }
const key = '11pCSNmPiUNvrY1aUQWpjbrThApdhr1afqrnDpbPdfJs2w5jHC8'
const HNT = 'iot_reward_token_main'
/** It has 59 hotspots. */
const GREATEST_OWNER = 'Bn4fUXqXZJbvFRFEPbk3WkrnLkzva8YxZYM7im9sPsWw'

interface Hotspot {
  readonly ecc_key: string
  readonly name: string
  readonly owner: string
  readonly iot_info: { readonly location: string } | null
}

const hotspots = readFileSync(`${smallNetwork}/l2/hotspots.ndjson`, 'utf8')
  .trim()
  .split('\n')
  // Cells have more digits than a double.
  .map((line) => JSON.parse(line.replaceAll(/"location": *(\d+)/g, '"location":"$1"')) as Hotspot)
const own = hotspots.find(({ ecc_key }) => ecc_key === key) as Hotspot

/** By definition: the least amount that half of them reach at most. */
function lowerMedian(units: readonly bigint[]): bigint | undefined {
  const isReached = (one: bigint) => 2 * units.filter((other) => other <= one).length >= units.length
  return units.filter(isReached).find((one, _, half) => half.every((other) => one <= other))
}

describe.skipIf(browserPath === undefined)('the first screen of a hotspot', () => {
  const served = servedExplorer()

  /** IoT earnings of each hotspot in HNT on some days, from the rows of the list. */
  async function earnedOn(first: string, last: string): Promise<ReadonlyMap<string, bigint>> {
    const query = `first_day=${first}&last_day=${last}&format=csv&columns=hotspot_key,token,earned`
    const text = await (await fetch(`${served.address}/v1/net/l2/iot-reward-shares?${query}`)).text()
    const rows = parse(text, { columns: true }) as Record<'hotspot_key' | 'token' | 'earned', string>[]
    const sums = new Map<string, bigint>()
    for (const { hotspot_key, token, earned } of some(rows))
      if (token === HNT && hotspot_key !== '')
        sums.set(hotspot_key, (sums.get(hotspot_key) ?? 0n) + BigInt(earned))
    return new Map([...sums].filter(([, units]) => units > 0n))
  }

  /** USD of each hotspot on a day over both networks, in units of 10^-16, from the rows of the lists. */
  async function usdOn(day: string): Promise<ReadonlyMap<string, bigint>> {
    const sums = new Map<string, bigint>()
    for (const network of ['iot', 'mobile']) {
      const query = `first_day=${day}&last_day=${day}&format=csv&columns=hotspot_key,usd`
      const url = `${served.address}/v1/net/l2/${network}-reward-shares?${query}`
      const rows = parse(await (await fetch(url)).text(), { columns: true }) as Record<string, string>[]
      for (const { hotspot_key = '', usd = '' } of rows) {
        const [whole = '0', fraction = ''] = usd.split('.')
        if (hotspot_key !== '')
          sums.set(hotspot_key, (sums.get(hotspot_key) ?? 0n) + BigInt(whole + fraction.padEnd(16, '0')))
      }
    }
    return new Map([...sums].filter(([, units]) => units > 0n))
  }

  it('has name, sums, comparison and age of the data above the controls, the first figure in its upper part', async () => {
    const { page } = await served.open(`/hotspot/${key}?first=2025-01-27&last=2025-01-31`, phone)
    const bottomOf = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox()
      return (box?.y ?? Number.NaN) + (box?.height ?? Number.NaN)
    }
    expect(await textOf(page.locator('main h1'))).toBe(own.name)
    expect(await textOf(page.locator('.card.main dt'))).toBe('Earned in USD')
    expect(await bottomOf('.card.main .value')).toBeLessThan(0.6 * phone.viewport.height)
    const symbols = await page.locator('.card:not(.main) dt').allTextContents()
    expect(symbols).toEqual(expect.arrayContaining(['HNT', 'IOT']))
    const days = Math.floor((Date.now() - Date.parse('2025-01-31')) / 86_400_000)
    expect(await textOf(page.locator('.old'))).toBe(`Newest data: 31 Jan 2025, ${days} days ago.`)
    const controls = (await page.locator('.controls').boundingBox())?.y
    for (const above of ['h1', '.old', '.cards', '[aria-label="How that compares"]'])
      expect([above, (await bottomOf(`main ${above}`)) <= Number(controls)]).toEqual([above, true])
  })

  it('compares the sums with the days before and with medians of owner, neighbours and all', async () => {
    const earned = await earnedOn('2025-01-31', '2025-01-31')
    const before = await earnedOn('2025-01-30', '2025-01-30')
    const isLike = ({ ecc_key, owner, iot_info }: Hotspot) =>
      earned.has(ecc_key) &&
      before.has(ecc_key) &&
      owner === GREATEST_OWNER &&
      iot_info?.location !== undefined
    const hotspot = hotspots.find(isLike) as Hotspot
    // No two hotspots of the fixtures are near each other.
    const near = some(hotspots.filter(({ ecc_key }) => earned.has(ecc_key)).slice(-7))
    const { page, settled } = await served.open('/', phone)
    const cells: string[] = []
    await page.route(/[?&]iot_location=/, async (route) => {
      cells.push(new URL(route.request().url()).searchParams.get('iot_location') ?? '')
      await route.fulfill({
        json: { records: [hotspot, ...near.slice(cells.length === 1 ? 4 : 0)], meta: {} },
      })
    })
    await page.goto(`${served.address}/hotspot/${hotspot.ecc_key}?first=2025-01-31&last=2025-01-31`)
    await settled()
    const parents = [7, 6].map((resolution) =>
      cellToParent(BigInt(String(hotspot.iot_info?.location)).toString(16), resolution),
    )
    expect(cells.map((cell) => BigInt(cell).toString(16))).toEqual(parents)
    const rows = page.getByRole('region', { name: 'How that compares', exact: true }).locator('tbody tr')
    const shown = new Map<string, string>()
    for (const row of await rows.all())
      shown.set(await textOf(row.locator('th')), await textOf(row.locator('td[data-title^=HNT]').first()))
    const medianOf = (some: readonly Hotspot[]) =>
      lowerMedian(some.flatMap(({ ecc_key }) => earned.get(ecc_key) ?? []))
    const owned = hotspots.filter(({ owner }) => owner === GREATEST_OWNER)
    const median = lowerMedian([...earned.values()])
    const expected: readonly (readonly [string, bigint | undefined])[] = [
      ['The day before', before.get(hotspot.ecc_key)],
      [`Median of its owner’s ${owned.length} hotspots`, medianOf(owned)],
      ['Median of 7 hotspots around it', medianOf(near)],
      ['Median of all paid hotspots', median],
    ]
    expect([...shown].map(([title, text]) => [title, unitsIn(`${text.split(' ')[0]} HNT`)])).toEqual(expected)
    const usd = await usdOn('2025-01-31')
    const shownUsd = new Map<string, string>()
    for (const row of await rows.all()) {
      const cell = row.locator('td[data-title=USD] data')
      if ((await cell.count()) > 0)
        shownUsd.set(await textOf(row.locator('th')), (await cell.getAttribute('value')) ?? '')
    }
    const usdMedianOf = (some: readonly Hotspot[]) =>
      lowerMedian(some.flatMap(({ ecc_key }) => usd.get(ecc_key) ?? []))
    const unitsOf = (text = '') => {
      const [whole = '', fraction = ''] = text.split('.')
      return BigInt(whole + fraction.padEnd(16, '0'))
    }
    const [, ownerRow = '', nearRow = '', allRow = ''] = expected.map(([title]) => title)
    expect(unitsOf(shownUsd.get(ownerRow))).toBe(usdMedianOf(owned))
    expect(unitsOf(shownUsd.get(nearRow))).toBe(usdMedianOf(near))
    expect(shownUsd.has(allRow)).toBe(false)
    const percent = Math.round((Number(earned.get(hotspot.ecc_key)) / Number(median) - 1) * 100)
    expect(shown.get('Median of all paid hotspots')).toMatch(
      ` ${percent < 0 ? '−' : '+'}${Math.abs(percent)} %`,
    )
  })

  it.each(['light', 'dark'] as const)('breaks no rule of axe in %s', async (colorScheme) => {
    const { page } = await served.open(`/hotspot/${key}?span=last-month`, { ...phone, colorScheme })
    expect(await violationsOn(page)).toEqual([])
  })
})

describe.skipIf(browserPath === undefined)('the days of a page', () => {
  const served = servedExplorer()

  /** Opens a page as if today were this day. */
  async function openOn(today: string, path: string) {
    const { page, settled } = await served.open('/', phone)
    await page.clock.setFixedTime(new Date(`${today}T12:00:00Z`))
    await page.goto(served.address + path)
    await settled()
    return { page, settled }
  }

  const daysOn = async (page: Awaited<ReturnType<typeof openOn>>['page']) => [
    await page.locator('#first').inputValue(),
    await page.locator('#last').inputValue(),
  ]

  it.each([
    ['This month', '2025-02-01', '2025-02-04', 'span=this-month'],
    ['Last month', '2025-01-01', '2025-01-31', 'span=last-month'],
    ['Last year', '2024-01-01', '2024-12-31', 'span=last-year'],
  ])('are %s from %s to %s after a tap on its button', async (name, first, last, query) => {
    const { page, settled } = await openOn('2025-02-04', `/hotspot/${key}`)
    const button = page.getByRole('button', { name, exact: true })
    await button.click()
    await settled()
    expect(await daysOn(page)).toEqual([first, last])
    expect(new URL(page.url()).search).toBe(`?${query}`)
    expect(await button.getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('button', { name: 'Weeks' }).click()
    await settled()
    expect(await daysOn(page)).toEqual([first, last])
    expect(await page.locator('.controls [aria-pressed=true]').allTextContents()).toEqual([name, 'Weeks'])
  })

  it('that the server has no data for are reported, not summed to nothing', async () => {
    const { page } = await openOn('2026-11-28', `/hotspot/${key}?span=last-month`)
    expect(await textOf(page.locator('.card.main'))).toBe('EarnedUnknown')
    await page.getByText('The server has no data for these days.').waitFor()
    expect(await textOf(page.locator('.old'))).toBe('Newest data: 31 Jan 2025, 666 days ago.')
    expect(await page.getByText('Nothing').count()).toBe(0)
  })

  it('are put right if the last comes first, and the page says so once', async () => {
    const { page, settled } = await served.open(`/hotspot/${key}`)
    await page.locator('#first').fill('2025-01-31')
    await page.locator('#last').fill('2025-01-27')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('The first day was after the last day').waitFor()
    await settled()
    expect(await daysOn(page)).toEqual(['2025-01-27', '2025-01-31'])
    expect(new URL(page.url()).search).toBe('?first=2025-01-27&last=2025-01-31')
    await page.reload()
    await settled()
    expect(await page.getByText('The first day was after').count()).toBe(0)
  })
})
