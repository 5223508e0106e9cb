import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { ofArrays } from '../../support/engines.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { deriveAll } from '../../support/lakes/derive-all.ts'
import {
  at,
  dayBefore,
  hotspot,
  iotReward,
  makeLake,
  manifest,
  mobileShare,
} from '../../support/lakes/make-lake.ts'
import { hotspotRecord, writeRecords } from '../../support/messages/record-files.ts'
import { pick } from '../../support/network/draw.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { countIndexReads, workOf } from '../../support/servers/work-of.ts'
import { makeFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

countIndexReads()

const HOTSPOTS = 9
const DAY_MICROS = 86_400_000_000n
/** Paid in IOT, then in the main token; the last day has no manifest. */
const ends = ['2025-02-02', '2025-02-03', '2025-02-04', '2025-02-05', '2025-02-06'] as const
const tokenOn = (date: string) =>
  date < '2025-02-04' ? 'iot_reward_token_iot' : date < '2025-02-06' ? 'iot_reward_token_main' : null
const decimalsOf = { iot_reward_token_iot: 6, iot_reward_token_main: 8 }

const random = openRandom(deriveSeed('medians'))
/** What one hotspot was paid for beacons and for witnessing: nothing now and then, and more than 64 bits hold. */
const shares = ends.flatMap((date) =>
  Array.from({ length: 8 }, () => ({
    date,
    number: random.below(HOTSPOTS),
    beacon: BigInt(random.below(2)) * (random.chance(0.3) ? 2n ** 64n - 1n : 1001n),
    witness: BigInt(random.below(2)) * (random.chance(0.3) ? 2n ** 63n - 1n : 7n),
  })),
)
const ownerOf = (number: number) => (number % 2 === 0 ? 'Ada' : 'Bob')
const every = Array.from({ length: HOTSPOTS }, (_, number) => number)

const path = '/l2/iot-reward-shares/totals/series'
const all = 'from=2025-02-02&to=2025-02-06T12:00:00Z'
const asked = 'group_by=hotspot&interval=all&median=true&integers=string'

let folder: string
/** With the index by hotspot. */
let summed: TestServer
let withoutSums: TestServer
let servers: readonly TestServer[]

beforeAll(async () => {
  const files = ends.flatMap((date, day) => {
    const written_files = [`iot_reward_share.${day + 1}.gz`]
    const end_timestamp = at(`${date}T00:00:00Z`)
    const times = { start_timestamp: end_timestamp - DAY_MICROS, end_timestamp }
    const token = tokenOn(date)
    const told = token && manifest({ ...times, written_files, reward_type: 'iot', token, price: 3n })
    const paid = shares
      .filter((share) => share.date === date)
      .map(({ number, beacon, witness }) =>
        iotReward(date, number, { beacon_amount: beacon, witness_amount: witness }),
      )
    return [
      [`iot/${written_files}`, paid] as const,
      ...(told === null ? [] : [[`iot/reward_manifest.${day + 1}.gz`, [told]] as const]),
    ]
  })
  const radio = (number: number, reward: bigint) =>
    mobileShare({
      ...{ ...dayBefore('2025-02-03'), reward_type: 'radio_reward_v2', hotspot_key: hotspot(number).raw },
      ...{ base_poc_reward: reward, boosted_poc_reward: 1n },
    })
  const mobile = [radio(1, 4n), radio(2, 9n), radio(3, 2n)]
  const lake = await makeLake({
    ...Object.fromEntries(files),
    'mobile/mobile_reward_share.1.gz': mobile,
    'mobile/reward_manifest.9.gz': [
      manifest({
        ...{ start_timestamp: at('2025-02-02T00:00:00Z'), end_timestamp: at('2025-02-03T00:00:00Z') },
        ...{ written_files: ['mobile_reward_share.1.gz'], reward_type: 'mobile' },
        ...{ token: 'mobile_reward_token_mobile', price: 3n },
      }),
    ],
  })
  folder = lake.folder
  const made = await makeFolder()
  const records = every.map((number) =>
    hotspotRecord(`asset-${number}`, { ecc_key: hotspot(number).text, owner: ownerOf(number) }),
  )
  writeRecords(join(made.folder, 'hotspots.ndjson'), records)
  await ingestInto(folder, [made.folder])
  await made.remove()
  withoutSums = await buildTestServer(folder)
  const memory = await buildTestServer(folder, 60_000, ofArrays)
  await deriveAll(folder)
  summed = await buildTestServer(folder)
  servers = [summed, withoutSums, memory]
})

interface Median {
  readonly token: string
  readonly hotspots: number
  readonly median: string
  readonly formatted_median: string
}

function inTokens(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${digits.slice(0, -decimals)}.${fraction === '' ? '0' : fraction}`
}

/** By definition: the least amount that half of the hotspots with any reach at most. */
function expected(from: string, to: string, numbers: readonly number[]): readonly Median[] {
  return (['iot_reward_token_iot', 'iot_reward_token_main'] as const).flatMap((token) => {
    const earned = numbers
      .map((own) =>
        shares
          .filter(
            ({ date, number }) => number === own && tokenOn(date) === token && from <= date && date <= to,
          )
          .reduce((sum, { beacon, witness }) => sum + beacon + witness, 0n),
      )
      .filter((sum) => sum > 0n)
    const isReached = (one: bigint) => 2 * earned.filter((other) => other <= one).length >= earned.length
    const median = earned.filter(isReached).find((one, _, half) => half.every((other) => one <= other))
    if (median === undefined) return []
    const formatted_median = inTokens(median, decimalsOf[token])
    return [{ token, hotspots: earned.length, median: String(median), formatted_median }]
  })
}

/** The medians of a reply that is the same from all servers. */
async function mediansOf(query: string): Promise<readonly Median[] | null> {
  const replies = await Promise.all(servers.map((server) => server.get(`${path}?${query}`)))
  for (const { status, text } of replies) expect([status, text], query).toEqual([200, replies[0]?.text])
  return JSON.parse(replies[0]?.text ?? '').meta.medians
}

describe('medians of earnings', () => {
  it('follow their definition for each known token, at any range, hotspots and limit', async () => {
    const counts = new Set<number>()
    for (let round = 0; round < scaled(15, 120); round += 1) {
      const [from = '', to = ''] = [pick(ends, random), pick(ends, random)].sort()
      const numbers = Array.from({ length: 1 + random.below(HOTSPOTS) }, () => random.below(HOTSPOTS))
      const owner = pick(['Ada', 'Bob'], random)
      const [whose, own] = pick(
        [
          ['', every],
          [`&owner=${owner}`, every.filter((number) => ownerOf(number) === owner)],
          [`&hotspot_key=${numbers.map((number) => hotspot(number).text).join(',')}`, [...new Set(numbers)]],
        ] as const,
        random,
      )
      const query = `from=${from}&to=${to}T12:00:00Z&${asked}&limit=${pick([1, 3, 1000], random)}${whose}`
      const medians = expected(from, to, own)
      expect(await mediansOf(query), query).toEqual(medians)
      for (const { hotspots } of medians) counts.add(hotspots % 2)
    }
    expect(counts).toEqual(new Set([0, 1]))
  })

  it('are null without median=true, and do not change the rows', async () => {
    for (const whose of ['', '&owner=Ada', `&hotspot_key=${hotspot(1).text}`]) {
      const plain = `${path}?${all}&group_by=hotspot&interval=all&limit=2${whose}`
      const [without, refused, given] = await Promise.all(
        ['', '&median=false', '&median=true'].map(async (more) =>
          JSON.parse((await summed.get(plain + more)).text),
        ),
      )
      expect(without.meta.medians).toBeNull()
      expect(refused).toEqual(without)
      expect(given).toEqual({ ...without, meta: { ...without.meta, medians: given.meta.medians } })
      expect(given.meta.medians.length).toBeGreaterThan(0)
    }
  })

  it('are an empty list if no hotspot earned a known token', async () => {
    expect(await mediansOf(`from=2025-02-06&to=2025-02-07&${asked}`)).toEqual([])
    expect(await mediansOf(`${all}&${asked}&owner=Nobody`)).toEqual([])
    expect(await mediansOf(`${all}&${asked}&hotspot_key=11nobody`)).toEqual([])
  })

  it('are computed for the mobile network', async () => {
    const replies = await Promise.all(
      servers.map((server) => server.get(`/l2/mobile-reward-shares/totals/series?${all}&${asked}&limit=1`)),
    )
    const token = 'mobile_reward_token_mobile'
    for (const { text } of replies)
      expect(JSON.parse(text).meta.medians).toEqual([
        { token, hotspots: 3, median: '5', formatted_median: '0.000005' },
      ])
  })

  it('run no statement with an index, and no more statements than the rows alone without one', async () => {
    const rows = `${path}?from=2025-02-02&to=2025-02-05&group_by=hotspot&interval=all`
    // Manifests are read once for each version of their table.
    for (const server of servers) await server.get(`${rows}&limit=5`)
    const work = async (server: TestServer, more: string) =>
      (await workOf(server, `${rows}&limit=1${more}`)).statements
    expect(await work(summed, '&median=true')).toBe(0)
    const alone = await work(withoutSums, '')
    expect([alone > 0, await work(withoutSums, '&median=true')]).toEqual([true, alone])
  })

  it('begin at the start of a look-back, like the rows', async () => {
    const { ask, newKey } = await gatedServer(folder)
    const days = Math.ceil((Date.now() - Date.parse('2025-02-04T00:00:00Z')) / 86_400_000)
    const key = await newKey({ lookbackDays: days - 1 })
    const { meta } = JSON.parse((await ask(`/v1/net${path}?${all}&${asked}&limit=1`, key)).text)
    expect(meta.from_served.slice(0, 10) > '2025-02-03').toBe(true)
    expect(meta.medians).toEqual(expected(meta.from_served.slice(0, 10), '2025-02-06', every))
  })

  it('have an ETag of their own', async () => {
    const plain = `${path}?${all}&group_by=hotspot&interval=all`
    const replies = [
      await summed.get(plain),
      await summed.get(`${plain}&median=true`),
      await summed.get(plain),
    ]
    const [tag, ofMedian, again] = replies.map(({ headers }) => headers.etag)
    expect([ofMedian === tag, again === tag]).toEqual([false, true])
    expect(replies[2]?.text).toBe(replies[0]?.text)
  })
})

describe('an invalid median', () => {
  const needs = 'median is of hotspots over the whole range; use it with group_by=hotspot and interval=all'
  it.each([
    ['median=true', needs],
    ['median=true&group_by=hotspot', needs],
    ['median=true&interval=all', needs],
    ['median=true&interval=all&group_by=owner', needs],
    ['median=true&interval=all&group_by=hotspots', 'group_by is "hotspots"; use one of'],
    ['median=yes&interval=all&group_by=hotspot', 'median is "yes"; use true or false'],
  ])('%s returns 422', async (query, message) => {
    const { status, text } = await summed.get(`${path}?${all}&${query}`)
    const { errors } = JSON.parse(text)
    expect([status, errors.length]).toEqual([422, 1])
    expect(errors[0].message).toContain(message)
  })

  it('of the ledger returns 422', async () => {
    const { status, text } = await summed.get('/l1/rewards/series?group_by=hotspot&interval=all&median=true')
    expect([status, JSON.parse(text).errors[0].message]).toEqual([
      422,
      expect.stringContaining('median is not a parameter here'),
    ])
  })
})
