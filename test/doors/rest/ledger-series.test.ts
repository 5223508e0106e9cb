import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../../support/engines.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { writeRewards } from '../../support/network/archive.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { workOf } from '../../support/servers/work-of.ts'
import { some } from '../../support/some.ts'
import { makeFolder } from '../../support/temporary-folder.ts'

interface Reward {
  readonly time: string
  readonly amount: string
  readonly type: string
  readonly account_address: string | null
  readonly gateway_address: string | null
}

/** Every seven hours around the changes of the clock in Berlin and Los Angeles, in spring and in autumn. */
const ledger = ['2021-03-12T00:30:00Z', '2021-10-29T00:30:00Z'].flatMap((start, season) =>
  Array.from({ length: 70 }, (_, number) => ({
    ...{ source_file: 'data_xaa.csv.gz', ordinal: BigInt(season * 70 + number) },
    ...{ block: BigInt(1000 + season * 70 + number), transaction_hash: `t${season}-${number}` },
    time: BigInt(Date.parse(start)) / 1000n + BigInt(number) * 25_200n,
    account_address: ['ada', 'bob', 'cyd'][number % 3] ?? null,
    gateway_address: number % 5 === 0 ? null : `gateway-${number % 4}`,
    amount: 2n ** 60n + BigInt(number * number),
    type: number % 2 === 0 ? 'poc_witness' : 'data_credits',
  })),
)

/** The day of a time in seconds, by a format of its own. */
const dayIn = (timeZone: string, { time }: Reward) =>
  new Date(Number(time) * 1000).toLocaleDateString('sv-SE', { timeZone })

/** The Monday on or before the day of a time, in UTC: 1970 began on a Thursday. */
function mondayOf({ time }: Reward): string {
  const days = Math.floor(Number(time) / 86_400)
  return new Date((days - ((days + 3) % 7)) * 86_400_000).toISOString().slice(0, 10)
}

describe.each(engines)('rewards of the ledger by day, from the %s', (name, around) => {
  const made = makeFolder()
  let server: TestServer
  let rewards: readonly Reward[]

  beforeAll(async () => {
    const { folder } = await made
    const lake = join(folder, 'lake')
    const input = join(folder, 'input')
    await ingestInto(lake, [writeRewards(input, { 'data_xaa.csv.gz': ledger })])
    server = await buildTestServer(lake, 60_000, around)
    const pages: Reward[] = []
    for (let page = 1; page > 0; ) {
      const { text } = await server.get(`/l1/rewards?per_page=100&integers=string&page=${page}`)
      const { objects, meta } = JSON.parse(text)
      pages.push(...objects)
      page = meta.next_page ?? 0
    }
    rewards = some(pages)
  })
  afterAll(async () => {
    await server.close()
    await (await made).remove()
  })

  /** `start group amount` of each row. */
  async function rowsOf(query: string): Promise<readonly string[]> {
    const { status, text } = await server.get(`/l1/rewards/series?integers=string&${query}`)
    expect(status, text).toBe(200)
    const records: readonly Record<string, string | null>[] = JSON.parse(text).records
    for (const { token, earned, total_amount, usd } of records)
      expect([token, earned, usd]).toEqual(['main', total_amount, null])
    return records.map(({ start, group, total_amount }) => `${start} ${group} ${total_amount}`).sort()
  }

  /** The same by a reduction over the list. */
  function expected(nameOf: (reward: Reward) => string, isShown = (_: Reward) => true): readonly string[] {
    const sums = new Map<string, bigint>()
    for (const reward of rewards.filter(isShown))
      sums.set(nameOf(reward), (sums.get(nameOf(reward)) ?? 0n) + BigInt(reward.amount))
    return [...sums].map(([name, sum]) => `${name} ${sum}`).sort()
  }

  it.each(['UTC', 'Europe/Berlin', 'America/Los_Angeles'])('are those of the days of %s', async (zone) => {
    const days = expected((reward) => `${dayIn(zone, reward)} null`)
    expect(days.length).toBeGreaterThan(1)
    expect(await rowsOf(`tz=${zone}`)).toEqual(days)
  })

  it('are divided by type and by account', async () => {
    expect(await rowsOf('interval=all&group_by=reward_type')).toEqual(expected(({ type }) => `null ${type}`))
    const accounts = expected((reward) => `${dayIn('UTC', reward).slice(0, 8)}01 ${reward.account_address}`)
    expect(await rowsOf('interval=month&group_by=owner&limit=1000')).toEqual(accounts)
  })

  it('name the accounts that were paid most', async () => {
    const all = expected((reward) => String(reward.account_address)).map((line) => line.split(' '))
    const most = all.map(([account = '', sum = '']) => ({ account, sum: BigInt(sum) }))
    most.sort((a, b) => (a.sum > b.sum ? -1 : 1))
    expect(most.length).toBeGreaterThan(2)
    expect(await rowsOf('interval=all&group_by=owner&limit=2')).toEqual(
      most
        .slice(0, 2)
        .map(({ account, sum }) => `null ${account} ${sum}`)
        .sort(),
    )
  })

  it.each([
    ['owner', ({ account_address }: Reward) => account_address],
    ['hotspot', ({ gateway_address }: Reward) => gateway_address],
    ['reward_type', ({ type }: Reward) => type],
  ] as const)('have each week of the largest groups by %s, read by one statement', async (by, of) => {
    const sums = new Map<string, bigint>()
    for (const reward of rewards) {
      const name = of(reward)
      if (name !== null) sums.set(name, (sums.get(name) ?? 0n) + BigInt(reward.amount))
    }
    const names = [...sums.keys()].sort((a, b) => ((sums.get(a) ?? 0n) > (sums.get(b) ?? 0n) ? -1 : 1))
    expect(names.length).toBeGreaterThan(1)
    for (const limit of new Set([1, names.length - 1, names.length])) {
      const chosen = names.slice(0, limit)
      const isShown = (reward: Reward) =>
        of(reward) === null ? limit === names.length : chosen.includes(of(reward) ?? '')
      const asked = `interval=week&group_by=${by}&limit=${limit}`
      expect(await rowsOf(asked)).toEqual(expected((reward) => `${mondayOf(reward)} ${of(reward)}`, isShown))
      const { statements } = await workOf(server, `/l1/rewards/series?${asked}`)
      expect(statements).toBe(name === 'the embedded engine' ? 1 : 0)
    }
  })
})
