import { beforeAll, expect, it } from 'vitest'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { deriveAll } from '../../support/lakes/derive-all.ts'
import { at, hotspot, iotReward, makeLake, manifest } from '../../support/lakes/make-lake.ts'
import { pick } from '../../support/network/draw.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { countIndexReads, workOf } from '../../support/servers/work-of.ts'
import { scaled } from '../../support/tier.ts'

countIndexReads()

const DAY_MS = 86_400_000
/** Two months and a day: the epochs end from 2 January to 2 March. */
const ends = Array.from({ length: 60 }, (_, day) =>
  new Date(Date.UTC(2025, 0, 2) + day * DAY_MS).toISOString().slice(0, 10),
)
const random = openRandom(deriveSeed('greatest hotspots'))
const shares = ends.flatMap((date) =>
  Array.from({ length: 12 }, () => ({
    date,
    number: random.below(9),
    amount: BigInt(random.below(4)) * 2n ** 62n,
  })),
)
const tokenOn = (date: string) => (date < '2025-01-30' ? 'iot_reward_token_iot' : 'iot_reward_token_main')

const path = '/l2/iot-reward-shares/totals/series'
/** All epochs of February. */
const february = 'from=2025-02-02&to=2025-03-01'
const greatest = (query: string) => `${path}?${query}&group_by=hotspot&integers=string`

let indexed: TestServer
let withoutIndex: TestServer

beforeAll(async () => {
  const lake = await makeLake(
    Object.fromEntries(
      ends.flatMap((date, day) => {
        const own = shares.filter((share) => share.date === date)
        const times = {
          start_timestamp: at(`${date}T00:00:00Z`) - 86_400_000_000n,
          end_timestamp: at(`${date}T00:00:00Z`),
        }
        const written_files = [`iot_reward_share.${day + 1}.gz`]
        return [
          [
            `iot/${written_files}`,
            own.map(({ number, amount }) => iotReward(date, number, { beacon_amount: amount })),
          ],
          [
            `iot/reward_manifest.${day + 1}.gz`,
            [manifest({ ...times, written_files, reward_type: 'iot', token: tokenOn(date), price: 3n })],
          ],
        ]
      }),
    ),
  )
  withoutIndex = await buildTestServer(lake.folder)
  await deriveAll(lake.folder)
  indexed = await buildTestServer(lake.folder)
  await indexed.get(greatest(february))
})

/** Token, hotspot and sum of the greatest, by a plain loop over the shares. */
function plain(from: string, to: string, limit: number): readonly string[] {
  const sums = new Map<string, bigint>()
  for (const { date, number, amount } of shares) {
    const name = `${tokenOn(date)} ${hotspot(number).text}`
    if (from <= date && date <= to) sums.set(name, (sums.get(name) ?? 0n) + amount)
  }
  const sorted = [...sums].sort(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1))
  return ['iot_reward_token_iot', 'iot_reward_token_main'].flatMap((token) =>
    sorted
      .filter(([name]) => name.startsWith(`${token} `))
      .slice(0, limit)
      .map(([name, sum]) => `${name} ${sum}`),
  )
}

it('the top hotspots of a month take one index read each, one for the total, and no statement', async () => {
  const work = await workOf(indexed, greatest(`${february}&interval=month&limit=3`))
  // The total of the month and three hotspots; keys that were read once are remembered.
  expect([work.statements, work.files, work.indexReads]).toEqual([0, 0, 1 + 3])
  expect(work.indexBytes).toBeLessThan(4000)
  // Of a month without its first epoch each other one is read.
  const part = await workOf(indexed, greatest('from=2025-02-03&to=2025-03-01&interval=month&limit=3'))
  expect([part.statements, part.indexReads]).toEqual([0, 27 + 3])
})

it('the top hotspots take two statements without an index: one for the hotspots, one for the total', async () => {
  const query = `${february}&interval=week`
  await withoutIndex.get(greatest(query))
  for (const limit of [1, 9]) {
    const { statements, text } = await workOf(withoutIndex, `${greatest(query)}&limit=${limit}`)
    expect([statements, text]).toEqual([2, (await indexed.get(`${greatest(query)}&limit=${limit}`)).text])
  }
  const named = Array.from({ length: 9 }, (_, number) => hotspot(number).text).join(',')
  // One more looks whether all of them are known.
  expect((await workOf(withoutIndex, `${greatest(query)}&hotspot_key=${named}`)).statements).toBe(1 + 1)
})

it('the top hotspots with an index equal those without it and a sum over all hotspots, in any time zone', async () => {
  let rows = 0
  for (let round = 0; round < scaled(6, 120); round += 1) {
    const [from = '', to = ''] = [pick(ends, random), pick(ends, random)].sort()
    const limit = 1 + random.below(10)
    const common = `from=${from}&to=${to}T12:00:00Z&limit=${limit}`
    const zone = pick(['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Pacific/Kiritimati'], random)
    const division = `interval=${pick(['day', 'week', 'month', 'all'], random)}&tz=${zone}`
    const grouped = pick(['hotspot', 'owner'], random)
    const query = `${path}?${common}&${division}&group_by=${grouped}&integers=string`
    const [ours, theirs] = [await indexed.get(query), await withoutIndex.get(query)]
    expect([ours.status, ours.text], query).toEqual([200, theirs.text])
    const { text } = await indexed.get(greatest(`${common}&interval=all`))
    const records: readonly Record<string, string>[] = JSON.parse(text).records
    const named = records.map(({ token, group, earned }) => `${token} ${group} ${earned}`)
    expect(named).toEqual(plain(from, to, limit))
    rows += named.length
  }
  expect(rows).toBeGreaterThan(40)
})

it('Server-Timing names the access path of the top hotspots', async () => {
  for (const [server, by] of [
    [indexed, 'desc="index"'],
    [withoutIndex, 'desc="engine, '],
  ] as const)
    expect((await server.get(greatest(february))).headers['server-timing']).toContain(by)
})
