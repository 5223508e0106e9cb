import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { describe, expect, it, onTestFinished } from 'vitest'
import { builtExplorer } from '../support/build-explorer.ts'
import { readExpected, smallNetwork } from '../support/fixtures.ts'
import { browserPath, unitsOn } from '../support/servers/browser.ts'
import { cutOffOn, openExplorer, textOf, violationsOn } from '../support/servers/explorer-page.ts'
import { gatedServer } from '../support/servers/gated-server.ts'
import { servedExplorer } from '../support/servers/served-explorer.ts'
import { some } from '../support/some.ts'
import { unitsIn } from '../support/units-in.ts'

const phone = { viewport: { width: 390, height: 844 } }
const { queries } = readExpected()

/** What the fixtures, summed by another program, say that IoT hotspots earned by the end of periods from 28 January to 1 February. */
function expectedEarned(hotspot: string | undefined): bigint {
  const found = queries.find(
    ({ network, params }) =>
      network === 'iot' &&
      params.from === '2025-01-28T00:00:00Z' &&
      params.to === '2025-02-01T00:00:00Z' &&
      params.hotspot_key === hotspot &&
      params.reward_type === undefined,
  )
  const { total_beacon_amount, total_witness_amount, total_dc_transfer_amount } = found?.totals ?? {}
  return [total_beacon_amount, total_witness_amount, total_dc_transfer_amount].reduce(
    (sum, digits) => sum + BigInt(digits as string),
    0n,
  )
}

const key = '11pCSNmPiUNvrY1aUQWpjbrThApdhr1afqrnDpbPdfJs2w5jHC8'
type Listed = Readonly<Record<'ecc_key' | 'name' | 'owner', string>>
const hotspots: readonly Listed[] = readFileSync(`${smallNetwork}/l2/hotspots.ndjson`, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Listed)
/** Its record in the fixtures. */
const listed = hotspots.find(({ ecc_key }) => ecc_key === key) ?? { ecc_key: '', name: '', owner: '' }
/** By definition: the least that half of them reach at most. */
function lowerMedian(units: readonly bigint[]): bigint | undefined {
  const isReached = (one: bigint) => 2 * units.filter((other) => other <= one).length >= units.length
  return units.filter(isReached).find((one, _, half) => half.every((other) => one <= other))
}
/** Days whose periods end in that range. */
const span = 'first=2025-01-27&last=2025-01-31'

describe.skipIf(browserPath === undefined)('the explorer', () => {
  const served = servedExplorer()

  /** What each IoT hotspot earned that earned anything of a token in these days, from the rows of the list. */
  async function earnedByHotspot(token: string): Promise<ReadonlyMap<string, bigint>> {
    const asked = 'from=2025-01-27T00:00:01Z&to=2025-02-01&format=csv&columns=hotspot_key,token,earned'
    const text = await (await fetch(`${served.address}/v1/net/l2/iot-reward-shares?${asked}`)).text()
    const sums = new Map<string, bigint>()
    const rows = parse(text, { columns: true }) as Record<'hotspot_key' | 'token' | 'earned', string>[]
    for (const { hotspot_key, token: own, earned } of some(rows))
      if (own === token && hotspot_key !== '')
        sums.set(hotspot_key, (sums.get(hotspot_key) ?? 0n) + BigInt(earned))
    return new Map([...sums].filter(([, units]) => units > 0n))
  }

  it('opens an owner by the address', async () => {
    const { page } = await served.open('/')
    await page.getByLabel('Find a hotspot').fill(` ${listed.owner} `)
    await page.getByRole('button', { name: 'Find' }).click()
    await page.waitForURL(`${served.address}/owner/${listed.owner}`)
    expect(await page.getByLabel('Find a hotspot').inputValue()).toBe('')
  })

  it('finds a hotspot by its key, and shows its exact sums, to which its days and its file add up', async () => {
    const { page, settled, asked, complaints } = await served.open('/', phone)
    await page.getByLabel('Find a hotspot').fill(key)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${served.address}/hotspot/${key}`)
    await settled()
    expect(await textOf(page.locator('main h1'))).toBe(listed.name)
    await page.goto(`${served.address}/hotspot/${key}?${span}`)
    await settled()
    const expected = expectedEarned(key)
    expect(expected).toBe(1_670_579n)
    expect(await unitsOn(page, 'IoT')).toBe(expected)
    const days = await page.locator('td[data-title=IoT] .amount').allTextContents()
    expect(days.length).toBeGreaterThan(1)
    expect(days.reduce((sum, text) => sum + unitsIn(text), 0n)).toBe(expected)
    const waiting = page.waitForEvent('download')
    await page.getByRole('link', { name: 'IoT, CSV' }).click()
    const rows = parse(readFileSync(await (await waiting).path()), { columns: true }) as { earned: string }[]
    expect(rows).toHaveLength(3)
    expect(rows.reduce((sum, { earned }) => sum + BigInt(earned), 0n)).toBe(expected)
    for (const url of some(asked))
      expect(url.startsWith(`${served.address}/`) || url.startsWith('data:')).toBe(true)
    // A browser notes each lookup that finds nothing.
    expect(complaints.filter((one) => !one.includes('404'))).toEqual([])
  })

  it('shows the sums of the whole network, each with the request that gave it', async () => {
    const { page } = await served.open(`/?${span}`)
    expect(await unitsOn(page, 'IoT')).toBe(expectedEarned(undefined))
    await page.getByText('The requests behind this').first().click()
    const link = page
      .locator('.requests a', { hasText: 'iot-reward-shares/totals/series' })
      .locator('visible=true')
      .last()
    expect(await link.getAttribute('href')).toContain('interval=day')
    await link.click()
    expect(await textOf(page.locator('body'))).toContain('"earned":')
  })

  it('ranks hotspots by what they earned in USD over all tokens, by their names', async () => {
    const { page } = await served.open(`/?${span}`)
    const usdByName = new Map<string, number>()
    for (const network of ['iot', 'mobile']) {
      const query = 'first_day=2025-01-27&last_day=2025-01-31&format=csv&columns=hotspot_key,usd'
      const url = `${served.address}/v1/net/l2/${network}-reward-shares?${query}`
      const rows = parse(await (await fetch(url)).text(), { columns: true }) as Record<string, string>[]
      for (const { hotspot_key: own = '', usd } of some(rows)) {
        const name = hotspots.find(({ ecc_key }) => ecc_key === own)?.name ?? own
        if (own !== '') usdByName.set(name, (usdByName.get(name) ?? 0) + Number(usd))
      }
    }
    const expected = [...usdByName].sort(([, one], [, other]) => other - one).slice(0, 10)
    const rows = await page.getByRole('region', { name: 'Who earned most: table' }).locator('tbody tr').all()
    const shown = await Promise.all(
      rows.map(
        async (row) => [await textOf(row.locator('th')), await textOf(row.locator('td data'))] as const,
      ),
    )
    expect(shown.map(([name]) => name)).toEqual(
      expected.map(([name]) => (name.length > 20 ? `${name.slice(0, 8)}…${name.slice(-6)}` : name)),
    )
    for (const [index, [, usd]] of shown.entries())
      expect(Number(usd.replace(/[$,]/g, ''))).toBeCloseTo(expected[index]?.[1] ?? Number.NaN, 1)
  })

  it('distinguishes paid days, days without earnings and days without data', async () => {
    const { page } = await served.open(`/hotspot/${key}?first=2025-01-25&last=2025-02-05`)
    const rows = await page.getByRole('region', { name: 'What was earned' }).locator('tbody tr').all()
    const states = await Promise.all(rows.map((row) => textOf(row.locator('td[data-title=State] .state'))))
    expect(states).toHaveLength(12)
    const told = JSON.parse(
      await (
        await fetch(
          `${served.address}/v1/net/l2/iot-reward-shares/totals?from=2025-01-25T00:00:01Z&to=2025-02-06&coverage=true`,
        )
      ).text(),
    ).coverage.epochs.missing as { first: string; days: number }[]
    const missing = told.reduce((sum, { days }) => sum + days, 0)
    const counted = (state: string) => states.filter((own) => own === state).length
    expect(counted('Data missing')).toBe(missing)
    expect(counted('Paid')).toBeGreaterThan(1)
    expect(counted('Data missing') + counted('Paid') + counted('Nothing earned')).toBe(12)
  })

  it('suggests what begins with the typed text, and opens it', async () => {
    const { page, settled } = await served.open('/')
    await page.getByLabel('Find a hotspot').pressSequentially(key.slice(0, 8))
    const offered = page.locator('.hits a', { hasText: 'Hotspot' })
    await offered.first().waitFor()
    const found = JSON.parse(
      await (await fetch(`${served.address}/v1/net/search?q=${key.slice(0, 8)}`)).text(),
    )
    expect(await offered.count()).toBe(
      found.hits.filter(({ kind }: { kind: string }) => kind === 'hotspot').length,
    )
    await page.locator(`.hits a[href="/hotspot/${key}"]`).click()
    await settled()
    expect(new URL(page.url()).pathname).toBe(`/hotspot/${key}`)
  })

  it('says that no name has the words of a text, and what to type instead', async () => {
    const { page } = await served.open('/')
    await page.getByLabel('Find a hotspot').fill('no such thing')
    await page.keyboard.press('Enter')
    await page.locator('.hits p', { hasText: 'No name' }).waitFor()
    expect(await textOf(page.locator('.hits'))).toMatch(/^No name has the words “no such thing”\. Try /)
  })

  it('links a gateway to its account, and the account to a transaction', async () => {
    const gateway = JSON.parse(await (await fetch(`${served.address}/v1/net/l1/rewards?per_page=1`)).text())
      .objects[0]
    const { page, settled } = await served.open(`/account/${gateway.account_address}`)
    expect(await textOf(page.locator('main h1'))).toBe('Account')
    await page.locator(`a[href="/transaction/${gateway.transaction_hash}"]`).first().click()
    await settled()
    expect(new URL(page.url()).pathname).toBe(`/transaction/${gateway.transaction_hash}`)
    await page.goBack()
    await settled()
    expect(await textOf(page.locator('main h1'))).toBe('Account')
  })

  it('shows a gateway of L1 by its name, with labels in words and no empty member', async () => {
    const { objects } = JSON.parse(
      await (await fetch(`${served.address}/v1/net/l1/gateways?per_page=20`)).text(),
    ) as { readonly objects: readonly Readonly<Record<string, unknown>>[] }
    const gateway = objects.find((one) => Object.values(one).some((value) => value === null))
    const { page } = await served.open(`/gateway/${gateway?.address}`)
    const name = String(gateway?.name)
    expect((await textOf(page.locator('main h1'))).toLowerCase()).toBe(name.replaceAll('-', ' '))
    expect((await page.title()).toLowerCase()).toBe(`${name.replaceAll('-', ' ')} on l1 · ledgerlake`)
    const labels = await page.locator('.facts dt').allTextContents()
    expect(labels).toEqual(expect.arrayContaining(['Owner', 'Antenna gain']))
    for (const label of some(labels)) expect(label).toMatch(/^[A-Z]/)
    const texts = await page.locator('.facts dd').allTextContents()
    expect(texts.filter((text) => /^(|–|null|\{\}|\[\])$/.test(text))).toEqual([])
    expect(texts).toContain(`${Number(gateway?.gain) / 10} dBi`)
  })

  it('sums an owner, whose statement has the same amounts in its files', async () => {
    const { page, settled } = await served.open(`/owner/${listed.owner}?${span}`)
    const paid = (await unitsOn(page, 'IoT')) + (await unitsOn(page, 'Mobile'))
    await page.getByRole('button', { name: 'Make the statement' }).click()
    await settled()
    const links = await page.getByRole('link', { name: /^rewards-.*csv/ }).all()
    let filed = 0n
    for (const link of some(links)) {
      const waiting = page.waitForEvent('download')
      await link.click()
      const rows = parse(readFileSync(await (await waiting).path()), { columns: true }) as {
        earned: string
      }[]
      for (const { earned } of some(rows)) filed += BigInt(earned)
    }
    expect(filed).toBe(paid)
  })

  it.each([
    ['of an owner', (): string => `/owner/${listed.owner}`, /^owner-\w+_[\d-]+_[\d-]+\.csv$/],
    ['of a list of hotspots', (): string => `/fleet?keys=${key}`, /^\w+-\w+-\w+_[\d-]+_[\d-]+\.csv$/],
  ] as const)(
    'offers the earnings %s as one file, whose amounts add up to the sums',
    async (_, path, name) => {
      const at = path()
      const { page } = await served.open(`${at}${at.includes('?') ? '&' : '?'}${span}`)
      const waiting = page.waitForEvent('download')
      await page.getByRole('link', { name: 'CSV', exact: true }).click()
      const file = await waiting
      expect(file.suggestedFilename()).toMatch(name)
      const rows = parse(readFileSync(await file.path()), { columns: true }) as {
        amount: string
        token: string
        network: string
      }[]
      const filed = rows.reduce(
        (sum, { amount, token }) => sum + (token === '' ? 0n : unitsIn(`${amount} ${token}`)),
        0n,
      )
      expect(filed).toBe((await unitsOn(page, 'IoT')) + (await unitsOn(page, 'Mobile')))
    },
  )

  it("compares an owner's hotspots with the median of all that earned anything", async () => {
    const { page, asked } = await served.open(`/owner/${listed.owner}?${span}`)
    const owned = new Set(
      hotspots.filter(({ owner }) => owner === listed.owner).map(({ ecc_key }) => ecc_key),
    )
    const rows = page
      .getByRole('region', { name: 'Compared with the network', exact: true })
      .getByRole('row', { name: 'IoT' })
    for (const [token, symbol] of [
      ['iot_reward_token_iot', 'IOT'],
      ['iot_reward_token_main', 'HNT'],
    ] as const) {
      const earned = await earnedByHotspot(token)
      const own = [...earned].filter(([name]) => owned.has(name)).map(([, units]) => units)
      const row = rows.filter({ hasText: ` ${symbol} (` })
      const shown = async (title: string) => {
        const text = await textOf(row.locator(`td[data-title="${title}"]`))
        const [amount = '', count] = text.split(/ \(| hotspots?\)/)
        return [unitsIn(amount), Number(count)]
      }
      expect(await shown('Median of these')).toEqual([lowerMedian(own), own.length])
      expect(await shown('Median of all')).toEqual([lowerMedian([...earned.values()]), earned.size])
    }
    // The table of these hotspots comes from the same replies.
    const ofHotspots = asked.filter((url) => url.includes('group_by=hotspot'))
    expect(ofHotspots).toHaveLength(2)
    for (const url of ofHotspots) expect(url).toContain('limit=1000&median=true')
  })

  it('keeps a list of hotspots in the browser and in the link', async () => {
    const { page, settled } = await served.open(`/hotspot/${key}?${span}`)
    await page.getByRole('button', { name: 'Add to my hotspots' }).click()
    await page.getByRole('link', { name: 'My hotspots' }).click()
    await settled()
    expect(await page.getByLabel('Keys or names of hotspots').inputValue()).toBe(key)
    await page.goto(`${served.address}/fleet?keys=${key},11nobody&${span}`)
    await settled()
    expect(await unitsOn(page, 'IoT')).toBe(expectedEarned(key))
  })

  it('sums a list of names, lists the names that no hotspot has, and shows the names in its rows', async () => {
    const { page, settled } = await served.open(`/fleet?${span}`)
    const spelled = listed.name.toLowerCase().replaceAll(' ', '-')
    await page.getByLabel('Keys or names of hotspots').fill(`${spelled}\nAble\nno such bee`)
    await page.getByRole('button', { name: 'Show these' }).click()
    await page.locator('.card').first().waitFor()
    const bookmark = new URL(page.url())
    expect(bookmark.searchParams.get('keys')).toBe(`${spelled},Able,no such bee`)
    await page.goto(`${bookmark}&${span}`)
    await settled()
    expect(await textOf(page.locator('main h1 + [role=status]'))).toBe(
      'No hotspot has the key or name “Able” or “no such bee”. 1 of 3 found.',
    )
    expect(await unitsOn(page, 'IoT')).toBe(expectedEarned(key))
    const each = page.getByRole('region', { name: 'Each hotspot', exact: true })
    expect(await each.getByRole('link', { name: spelled }).getAttribute('href')).toBe(`/hotspot/${key}`)
    await page.goto(`${served.address}/hotspot/${key}?${span}`)
    await page.getByRole('button', { name: 'In my hotspots' }).click()
    await page.goto(`${served.address}/fleet`)
    expect(await page.getByLabel('Keys or names of hotspots').inputValue()).toBe('Able\nno such bee')
  })

  it.each([
    ['/hotspot/11nobody', 'Unknown hotspot: no reward and no record has this key. Check its spelling.'],
    ['/owner/11nobody', 'Unknown owner: no hotspot and no record has this address. Check its spelling.'],
    [
      '/fleet?keys=11nobody',
      'No hotspot has the key or name “11nobody”. 0 of 1 found. Names work too, one a line.',
    ],
    [
      '/fleet?keys=no+such+bee',
      'No hotspot has the key or name “no such bee”. 0 of 1 found. Names work too, one a line.',
    ],
  ])(
    'reports first at %s that the key is unknown, and nowhere that it earned nothing',
    async (path, sentence) => {
      const { page } = await served.open(`${path}${path.includes('?') ? '&' : '?'}${span}`)
      expect(await textOf(page.locator('main h1 + [role=status]'))).toBe(sentence)
      expect(await page.locator('.card').count()).toBe(0)
      expect(await page.getByText(/Nothing|earned anything/).count()).toBe(0)
    },
  )

  it('prompts for a key once, keeps it in the tab, and uses it for downloads', async () => {
    const gated = await gatedServer(served.lake, { options: { explorer: await builtExplorer() } })
    const at = await gated.test.server.listen({ host: '127.0.0.1', port: 0 })
    const { page, settled } = await openExplorer(served.browser, `${at}/hotspot/${key}?${span}`)
    await page.getByLabel('API key').first().fill('wrong')
    await page.getByRole('button', { name: 'Use this key' }).first().click()
    await page.getByText('This key is not accepted').first().waitFor()
    await page
      .getByLabel('API key')
      .first()
      .fill(await gated.newKey())
    await page.getByRole('button', { name: 'Use this key' }).first().click()
    await page.locator('.card').first().waitFor()
    await settled()
    expect(await unitsOn(page, 'IoT')).toBe(expectedEarned(key))
    const waiting = page.waitForEvent('download')
    await page.getByRole('link', { name: 'IoT, CSV' }).click()
    expect(parse(readFileSync(await (await waiting).path()), { columns: true })).toHaveLength(3)
    expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([0, ''])
    await page.getByRole('button', { name: 'Forget my key' }).click()
    await page.getByLabel('API key').first().waitFor()
  })

  it('shows when to retry, and retries on demand', async () => {
    const page = await served.browser.newPage()
    onTestFinished(() => page.close())
    const busy = { status: 429, headers: { 'Retry-After': '7' }, body: '{"error":"Too many requests."}' }
    let isBusy = true
    await page.route(/totals\/series/, (route) => (isBusy ? route.fulfill(busy) : route.continue()))
    await page.goto(`${served.address}/hotspot/${key}?${span}`)
    const refusal = page.getByRole('alert')
    await refusal.waitFor()
    expect(await textOf(refusal)).toBe(
      'Too many requests for nowToo many requests.Ask again in 7 s.Try again',
    )
    isBusy = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.card').first().waitFor()
    expect(await unitsOn(page, 'IoT')).toBe(expectedEarned(key))
  })

  const schemes = (['light', 'dark'] as const).flatMap((colorScheme) =>
    [390, 1280].map((width) => ({ colorScheme, width })),
  )
  it.each(schemes)(
    'breaks no rule of axe and cuts nothing off, in $colorScheme at $width px',
    async ({ colorScheme, width }) => {
      const reward = JSON.parse(await (await fetch(`${served.address}/v1/net/l1/rewards?per_page=1`)).text())
        .objects[0]
      const paths = [
        `/?${span}`,
        `/hotspot/${key}?${span}`,
        `/owner/${listed.owner}?${span}`,
        '/fleet',
        `/fleet?keys=${key}&${span}`,
        `/account/${reward.account_address}`,
        `/gateway/${reward.gateway_address}`,
        `/transaction/${reward.transaction_hash}`,
        '/hotspot/11nobody',
        '/fleet?keys=no+such+bee',
      ]
      const options = { viewport: { width, height: 844 }, colorScheme }
      for (const path of paths) {
        const { page, complaints } = await served.open(path, options)
        expect([path, await violationsOn(page)]).toEqual([path, []])
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width])
        expect([path, await cutOffOn(page)]).toEqual([path, []])
        expect([path, complaints.filter((one) => !one.includes('404'))]).toEqual([path, []])
      }
    },
  )

  it('can be used by keyboard, with a link past its header', async () => {
    const { page } = await served.open('/')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('To the page')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('page')
  })
})
