import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeHotspots } from '../../../src/write/sample/write-hotspots.ts'
import { writeSampleNetwork } from '../../../src/write/sample/write-sample-network.ts'
import { parseCsv } from '../../support/archive/csv.ts'
import { readExact } from '../../support/exact-json.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Two days of each side of the change of token; one day lacks its manifests, another everything. */
const options = {
  ...{ hotspots: 60, seed: 7, days: 5, start: '2025-01-29' },
  ...{ missingManifests: ['2025-01-31'], missingDays: ['2025-02-02'] },
}
const spelled = { iot: 'iot-reward-shares', mobile: 'mobile-reward-shares' } as const
/** What the totals say was paid to hotspots, and what they leave out. Source: specification, and README. */
const inTotals = {
  iot: ['total_beacon_amount', 'total_witness_amount', 'total_dc_transfer_amount'],
  mobile: ['total_dc_transfer_reward', 'total_poc_reward'],
} as const
const leftOut = ['base_poc_reward', 'boosted_poc_reward'] as const

let cwd: string
let server: TestServer
let owner: string
let keys: readonly string[]

beforeAll(async () => {
  cwd = await temporaryFolder()
  const out = join(cwd, 'sample')
  await writeSampleNetwork({ ...options, out })
  await writeHotspots({ ...options, out })
  const { failed } = await ingestInto(join(cwd, 'lake'), [out])
  expect(failed).toEqual([])
  server = await buildTestServer(join(cwd, 'lake'))
  const { text } = await server.get('/l2/hotspots?per_page=100')
  const { records } = JSON.parse(text) as { records: readonly { owner: string; ecc_key: string }[] }
  const counts = new Map<string, number>()
  for (const own of records) counts.set(own.owner, (counts.get(own.owner) ?? 0) + 1)
  owner = [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? ''
  keys = records.filter((own) => own.owner === owner).map((own) => own.ecc_key)
  const args = [
    '--owner',
    owner,
    '--from',
    '2025-01-29',
    '--to',
    '2025-02-02',
    '--lake',
    'lake',
    '--out',
    'made',
  ]
  const { code, stderr } = await runMain(['statement', ...args], { cwd })
  expect([code, stderr]).toEqual([0, ''])
})

const read = (name: string) => readFileSync(join(cwd, 'made', name), 'utf8')

describe('a statement of the sample owner with most hotspots', () => {
  it('adds up line by line to the totals endpoint plus the excluded rewards', async () => {
    const csv = readdirSync(join(cwd, 'made')).filter((name) => name.endsWith('.csv'))
    expect(csv).toEqual([
      ...['rewards-hnt.csv', 'rewards-iot.csv', 'rewards-mobile.csv'],
      ...['rewards-unknown-iot.csv', 'rewards-unknown-mobile.csv'],
    ])
    const lines = csv.flatMap((name) => parseCsv(read(name)).slice(1))
    const { from, to } = JSON.parse(read('summary.json')).totals[0]
    expect([from, to]).toEqual(['2025-01-29T12:00:00Z', '2025-02-03T11:59:59.999999Z'])
    expect(keys.length).toBeGreaterThan(2)
    let compared = 0
    for (const network of ['iot', 'mobile'] as const) {
      const ofNetwork = lines.filter(([, , , own]) => own === network)
      for (const key of keys) {
        const mine = ofNetwork.filter(([, own]) => own === key)
        const earned = mine.reduce((sum, cells) => sum + BigInt(cells[5] ?? ''), 0n)
        const query = `from=${from}&to=${to}&hotspot_key=${key}`
        const totals = readExact<Record<string, bigint>>(
          (await server.get(`/l2/${spelled[network]}/totals?${query}`)).text,
        )
        const paid = inTotals[network].reduce((sum, name) => sum + (totals[name] ?? 0n), 0n)
        const { records, meta } = readExact<{
          records: readonly { reward_detail: Record<string, bigint> }[]
          meta: { total_pages: bigint }
        }>((await server.get(`/l2/${spelled[network]}?${query}&per_page=100`)).text)
        expect(meta.total_pages).toBe(1n)
        const others = records.flatMap(({ reward_detail: detail }) =>
          leftOut.map((name) => detail[name] ?? 0n),
        )
        expect(earned).toBe(others.reduce((sum, own) => sum + own, paid))
        expect(mine).toHaveLength(records.length)
        if (earned > 0n) compared += 1
      }
    }
    expect(compared).toBeGreaterThan(2)
  })

  it('lists the missing day and the missing manifests', () => {
    const { missing } = JSON.parse(read('summary.json'))
    const networks = ['iot', 'mobile']
    const days: readonly { network: string }[] = missing.days
    expect(days.filter(({ network }) => networks.includes(network))).toEqual(
      networks.map((network) => ({ network, first: '2025-02-02', last: '2025-02-02' })),
    )
    expect(missing.manifests).toEqual(
      networks.map((network) => ({ network, first: '2025-01-31', last: '2025-01-31' })),
    )
  })
})
