import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { deriveSeed, openRandom, type Random } from '../../src/write/sample/random.ts'
import { ofArrays } from '../support/engines.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { deriveAll } from '../support/lakes/derive-all.ts'
import { type MadeLake, makeLake } from '../support/lakes/make-lake.ts'
import { hotspotRecord, makerRecord, writeRecords } from '../support/messages/record-files.ts'
import { pick } from '../support/network/draw.ts'
import { drawFewFiles, FEW_HOTSPOTS, fewEnds } from '../support/network/few-files.ts'
import { oracleFiles } from '../support/network/oracle-files.ts'
import { type Network, rewardTypes } from '../support/network/reward-types.ts'
import { hotspotText } from '../support/network/shares.ts'
import { seeds } from '../support/properties/runs.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { makeFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

/** Two thousand in the slow tier, over its six data sets. */
const ASKED = scaled(12, 100)

const MAKER = '00000000-0000-4000-8000-000000000001'
const owners = ['Ada', 'Bob'] as const

/** Hotspots 0 and 1 are Ada's, 2 is Bob's; the others are in no table. */
const records = [0, 1, 2].map((number) =>
  hotspotRecord(`asset-${number}`, {
    ecc_key: hotspotText(number),
    owner: number < 2 ? 'Ada' : 'Bob',
    ...(number !== 1 && { maker: makerRecord('maker', { id: MAKER }) }),
  }),
)

type Asked = Readonly<Record<string, string>>
type Sums = Readonly<Record<string, string>>

function draw(random: Random): { network: Network; common: Asked; whose: Asked; division: Asked } {
  const network: Network = random.chance(0.5) ? 'iot' : 'mobile'
  const [first = 0n, second = 1n] = [pick(fewEnds, random), pick(fewEnds, random)].sort((a, b) =>
    a < b ? -1 : 1,
  )
  const iso = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString()
  const keys = Array.from({ length: 1 + random.below(4) }, () => hotspotText(random.below(FEW_HOTSPOTS + 1)))
  const groups = [
    'reward_type',
    'token',
    'hotspot',
    'owner',
    'maker',
    ...(network === 'mobile' ? ['service_provider'] : []),
  ]
  return {
    network,
    common: {
      ...{ from: iso(first - (first === second ? 1n : 0n)), to: iso(second) },
      ...(random.chance(0.3) && { reward_type: pick(rewardTypes(network), random) }),
    },
    whose: {
      ...(random.chance(0.3) && { hotspot_key: keys.join(',') }),
      ...(random.chance(0.2) && { owner: pick([...owners, 'Nobody'], random) }),
      ...(random.chance(0.1) && { maker_id: MAKER }),
    },
    division: {
      interval: pick(['day', 'week', 'month', 'all'], random),
      tz: pick(['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata'], random),
      ...(random.chance(0.8) && { group_by: pick(groups, random), limit: '1000' }),
    },
  }
}

/** The hotspots that a request is about; undefined for all rewards. */
function hotspotsOf({ hotspot_key, owner, maker_id }: Asked): readonly string[] | undefined {
  if (hotspot_key === undefined && owner === undefined && maker_id === undefined) return undefined
  const keys = hotspot_key?.split(',') ?? records.map(({ ecc_key }) => String(ecc_key))
  return [...new Set(keys)].filter((key) => {
    const record = records.find(({ ecc_key }) => ecc_key === key)
    const isMade = record !== undefined && 'maker' in record
    return (owner === undefined || record?.owner === owner) && (maker_id === undefined || isMade)
  })
}

function added(parts: readonly Sums[], names: readonly string[]): Sums {
  const sumOf = (name: string) => parts.reduce((sum, part) => sum + BigInt(part[name] ?? 0), 0n)
  return Object.fromEntries(names.map((name) => [name, String(sumOf(name))]))
}

describe.each(seeds)('series of a network drawn from seed %i', (seed) => {
  const files = drawFewFiles(seed)
  let lake: MadeLake
  /** With the index by hotspot, without it, and over arrays of rows. */
  let servers: readonly TestServer[]

  beforeAll(async () => {
    lake = await makeLake(oracleFiles(files))
    const made = await makeFolder()
    writeRecords(join(made.folder, 'hotspots.ndjson'), records)
    const { stored } = await ingestInto(lake.folder, [made.folder])
    expect(stored).toBe(1)
    await made.remove()
    const without = await buildTestServer(lake.folder)
    const memory = await buildTestServer(lake.folder, 60_000, ofArrays)
    await deriveAll(lake.folder)
    servers = [await buildTestServer(lake.folder), without, memory]
  })

  async function get(path: string): Promise<{ records?: readonly Sums[] } & Sums> {
    const replies = await Promise.all(servers.map((server) => server.get(path)))
    for (const { status, text } of replies) expect([status, text], path).toEqual([200, replies[0]?.text])
    return JSON.parse(replies[0]?.text ?? '')
  }

  it('add up to the totals exactly, with any groups, steps and access path', async () => {
    const random = openRandom(deriveSeed('series', seed))
    let rows = 0
    for (let asked = 0; asked < ASKED; asked += 1) {
      const { network, common, whose, division } = draw(random)
      const path = `/l2/${network}-reward-shares/totals`
      const query = (more: Asked) => new URLSearchParams({ ...common, ...more, integers: 'string' })
      const series = (await get(`${path}/series?${query({ ...whose, ...division })}`)).records ?? []
      const keys = hotspotsOf(whose)
      const asks = keys === undefined ? [{}] : keys.map((hotspot_key) => ({ hotspot_key }))
      const totals: Sums[] = []
      for (const own of asks) totals.push(await get(`${path}?${query(own)}`))
      const names = Object.keys(totals[0] ?? (await get(`${path}?${query({})}`)))
      expect(added(series, names), JSON.stringify({ network, common, whose, division })).toEqual(
        added(totals, names),
      )
      rows += series.length
    }
    expect(rows).toBeGreaterThan(ASKED)
  })
})
