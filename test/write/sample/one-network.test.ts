import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeSampleLedger } from '../../../src/write/sample/ledger/write-ledger.ts'
import { writeHotspots } from '../../../src/write/sample/write-hotspots.ts'
import { type SampleOptions, writeSampleNetwork } from '../../../src/write/sample/write-sample-network.ts'
import { type ExactRecord, readArchive, readHotspots, readMakers } from '../../support/archive/records.ts'
import { readSource } from '../../support/messages/oracle-rows.ts'
import { rawOf } from '../../support/messages/wire-by-hand.ts'
import { some } from '../../support/some.ts'
import type { ExactRow } from '../../support/tables/delta-table.ts'
import { makeFolder, temporaryFolder } from '../../support/temporary-folder.ts'

/** What the files of a sample say about each other, read by the readers of the tests. */

const HOTSPOTS = 400
/** Three days of each side of the change of token. */
const options = { hotspots: HOTSPOTS, seed: 5, days: 6, start: '2025-01-28' } as const
const days = ['2025-01-28', '2025-01-29', '2025-01-30', '2025-01-31', '2025-02-01', '2025-02-02']
const networks = ['iot', 'mobile'] as const
const amounts = {
  iot: ['beacon_amount', 'witness_amount', 'dc_transfer_amount', 'amount'],
  mobile: [
    ...['dc_transfer_reward', 'poc_reward', 'base_poc_reward', 'boosted_poc_reward', 'amount'],
    ...['discovery_location_amount', 'subscriber_reward', 'service_provider_amount', 'matched_amount'],
  ],
} as const

let made: { folder: string; remove: () => Promise<void> }
let shares: Readonly<Record<'iot' | 'mobile', readonly ExactRow[]>>
let manifests: readonly ExactRow[]
let hotspots: readonly ExactRecord[]

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()
const rowsOf = (folder: string, table: string) =>
  filesOf(folder)
    .filter((name) => name.includes('foundation-'))
    .map((name) => readSource(join(folder, name)))
    .filter((source) => source.table === table)
    .flatMap(({ rows }) => rows)
const dayOf = (instant: unknown) => new Date(Number(instant) / 1000).toISOString().slice(0, 10)
const sumOf = (rows: readonly ExactRow[], columns: readonly string[]) =>
  rows.reduce(
    (sum, row) => sum + columns.reduce((own, column) => own + ((row[column] as bigint) ?? 0n), 0n),
    0n,
  )

beforeAll(async () => {
  made = await makeFolder()
  const out = made.folder
  await writeSampleNetwork({ ...options, out })
  await writeHotspots({ ...options, out })
  const ledger = { transactions: 1000, blocks: 90_000, start: '2023-02-10', seed: options.seed } as const
  await writeSampleLedger({ ...ledger, hotspots: HOTSPOTS, out })
  shares = { iot: rowsOf(out, 'iot_reward_shares'), mobile: rowsOf(out, 'mobile_reward_shares') }
  const byTime = (a: ExactRow, b: ExactRow) => Number(a.start_timestamp) - Number(b.start_timestamp)
  manifests = [...rowsOf(out, 'reward_manifests')].sort(byTime)
  hotspots = readHotspots(join(out, 'l2')).map(({ record }) => record)
})
afterAll(() => made.remove())

describe('the hotspots of the list', () => {
  const keysOn = (network: string) =>
    new Set(hotspots.filter((hotspot) => String(hotspot.networks).includes(network)).map((h) => h.ecc_key))

  it('are as many as requested: of ten, seven on IoT, two on mobile, and one on both', () => {
    const counts = ['iot', 'mobile', 'iot,mobile'].map(
      (names) => hotspots.filter((hotspot) => String(hotspot.networks) === names).length,
    )
    expect(counts).toEqual([280, 80, 40])
    expect(new Set(hotspots.map(({ ecc_key }) => ecc_key)).size).toBe(HOTSPOTS)
  })

  it.each(networks)('are the only ones that the shares of %s reward', (network) => {
    const rewarded = new Set(shares[network].flatMap(({ hotspot_key = null }) => hotspot_key ?? []))
    const known = keysOn(network)
    expect([...rewarded].filter((key) => !known.has(key as string))).toEqual([])
    expect(rewarded.size).toBeGreaterThan(known.size * 0.85)
    // The others are retired.
    const idle = hotspots.filter(({ ecc_key }) => known.has(ecc_key) && !rewarded.has(ecc_key as string))
    expect(idle.length).toBeGreaterThan(0)
    for (const hotspot of idle) expect((hotspot[`${network}_info`] as ExactRecord).is_active).toBe(false)
  })

  it('are no mappers', () => {
    const mappers = shares.mobile.flatMap(({ subscriber_id = null }) => subscriber_id ?? [])
    const keys = new Set(hotspots.map(({ ecc_key }) => ecc_key))
    expect(some(mappers).filter((mapper) => keys.has(mapper as string))).toEqual([])
  })

  it('earn nothing on some days, while others do', () => {
    const earning = new Map<unknown, Set<string>>()
    for (const { hotspot_key, start_period } of shares.iot) {
      if (hotspot_key === undefined) continue
      earning.set(hotspot_key, (earning.get(hotspot_key) ?? new Set()).add(dayOf(start_period)))
    }
    const some = [...earning.values()].filter((own) => own.size < days.length)
    expect(some.length).toBeGreaterThan(50)
    expect(some.length).toBeLessThan(earning.size)
  })

  it('have makers of the list of makers, or none', () => {
    const makers = new Map(readMakers(join(made.folder, 'l2')).map(({ record }) => [record.id, record]))
    const known = hotspots.flatMap(({ maker }) => (maker === null ? [] : [maker as ExactRecord]))
    expect(known.length).toBeGreaterThan(HOTSPOTS * 0.85)
    expect(known.length).toBeLessThan(HOTSPOTS)
    for (const maker of known) expect(maker).toEqual(makers.get(maker.id))
  })

  it('belong to a few owners with very many, and to many with one', () => {
    const fleets = new Map<unknown, number>()
    for (const { owner } of hotspots) fleets.set(owner, (fleets.get(owner) ?? 0) + 1)
    const sizes = [...fleets.values()].sort((a, b) => b - a)
    expect(sizes[0]).toBeGreaterThan(HOTSPOTS * 0.2)
    expect(sizes[9]).toBeGreaterThan(2)
    expect(sizes.filter((size) => size === 1).length).toBeGreaterThan(sizes.length * 0.4)
  })
})

describe('the reward', () => {
  /** 94 % of the emission of 400 hotspots, by hand: 41,096 HNT, 89.04 million IOT, 137 million MOBILE for 400,000. */
  const paid = {
    iot: { old: 83_697_600_000n, main: 965_756_000n },
    mobile: { old: 128_780_000_000n, main: 2_897_268_000n },
  } as const

  it.each(networks)('by %s on a day is exactly 94 % of its emission', (network) => {
    for (const [index, day] of days.entries()) {
      const own = shares[network].filter(({ start_period }) => dayOf(start_period) === day)
      expect(sumOf(own, amounts[network]), day).toBe(paid[network][index < 3 ? 'old' : 'main'])
    }
  })

  it('for operations and oracles is 7 % each, and for beacons and data at most their share', () => {
    const emission = { old: 89_040_000_000n, main: 1_027_400_000n }
    for (const [index, day] of days.entries()) {
      const own = shares.iot.filter(({ start_period }) => dayOf(start_period) === day)
      const all = emission[index < 3 ? 'old' : 'main']
      const oracles = own.filter((row) => row.unallocated_reward_type === 'unallocated_reward_type_oracle')
      expect(sumOf(oracles, ['amount'])).toBe((all * 7n) / 100n)
      const data = sumOf(own, ['dc_transfer_amount'])
      expect(data).toBeGreaterThan(0n)
      // What data leaves over goes to beacons, one part in five, and to witnesses; rounding costs less than a bone each.
      const beacons = (all * 6n) / 100n + (all / 2n - data) / 5n
      const lost = beacons - sumOf(own, ['beacon_amount'])
      expect(lost >= 0n && lost < BigInt(HOTSPOTS)).toBe(true)
    }
  })

  it('of the IoT network for a day is half as much from August 2025 on', async () => {
    const out = await temporaryFolder()
    await writeSampleNetwork({ ...options, days: 2, start: '2025-07-31', out })
    const [before, after] = ['2025-07-31', '2025-08-01'].map((day) =>
      sumOf(
        rowsOf(out, 'iot_reward_shares').filter(({ start_period }) => dayOf(start_period) === day),
        amounts.iot,
      ),
    )
    expect([before, after]).toEqual([965_756_000n, 482_878_000n])
  })

  it('for coverage is the number of shares times the bones for one share in the manifest', () => {
    const bones = new Map(
      manifests.map(({ start_timestamp, poc_bones_per_reward_share_exact }) => [
        start_timestamp,
        poc_bones_per_reward_share_exact,
      ]),
    )
    for (const share of some(shares.mobile.filter(({ reward_type }) => reward_type === 'radio_reward_v2'))) {
      const { base_reward_shares, base_poc_reward, start_period } = share
      const product = scaled(base_reward_shares) * scaled(bones.get(start_period as bigint))
      // The decimal is cut.
      const missing = (base_poc_reward as bigint) - product / 10n ** 60n
      expect(missing === 0n || missing === 1n).toBe(true)
    }
  })

  /** A decimal times 10^30. */
  function scaled(text: unknown): bigint {
    const [whole = '', fraction = ''] = String(text).split('.')
    return BigInt(`${whole}${fraction.padEnd(30, '0')}`)
  }

  it.each(networks)('by %s is worth about the same before and after the change of token', (network) => {
    const own = manifests.filter(({ reward_type }) => reward_type === network)
    expect(own.map(({ token }) => token)).toEqual([
      ...Array(3).fill(`${network}_reward_token_${network}`),
      ...Array(3).fill(`${network}_reward_token_main`),
    ])
    // Hundred-thousandths of a USD for a hotspot and day.
    const worth = own.map(({ price, start_timestamp, token }) => {
      const rewarded = shares[network].filter(
        ({ start_period, hotspot_key }) => start_period === start_timestamp && hotspot_key !== undefined,
      )
      const earners = new Set(rewarded.map(({ hotspot_key }) => hotspot_key)).size
      const scale = 10n ** (String(token).endsWith('main') ? 11n : 7n)
      return (sumOf(rewarded, amounts[network]) * (price as bigint)) / scale / BigInt(earners)
    })
    expect(Math.max(...worth.map(Number)) / Math.min(...worth.map(Number))).toBeLessThan(1.3)
    // From one cent to one USD.
    for (const value of worth) expect(value > 1000n && value < 100_000n, String(value)).toBe(true)
  })
})

describe('files', () => {
  it('of shares are two a day of each network, and that day’s manifest names them', () => {
    expect(manifests).toHaveLength(12)
    const named = manifests.flatMap(({ written_files }) => written_files as readonly string[])
    expect(new Set(named).size).toBe(24)
    const sources = filesOf(made.folder).filter((name) => /reward_share/.test(name))
    expect(sources.map((name) => name.split('/')[1]).sort()).toEqual([...named].sort())
    for (const { written_files, start_timestamp, reward_type } of manifests) {
      for (const name of written_files as readonly string[]) {
        const path = sources.find((source) => source.endsWith(name)) as string
        const { table, rows } = readSource(join(made.folder, path))
        expect(table).toBe(`${reward_type}_reward_shares`)
        expect(new Set(rows.map(({ start_period }) => start_period))).toEqual(new Set([start_timestamp]))
      }
    }
  })

  const gaps = {
    missingDays: ['2025-01-29', '2025-02-02'],
    missingManifests: ['2025-01-30'],
    lateFiles: ['2025-01-31'],
  } as const
  /** Files of rewards are named for an instant an hour after their day. */
  const paidBy = (name: string) =>
    new Date(Number(name.split('.')[1]) - 86_400_000).toISOString().slice(0, 10)

  it('are missing or late exactly as requested, and the others do not change', async () => {
    const out = join(await temporaryFolder(), 'sample')
    const { lateFiles } = await writeSampleNetwork({ ...options, ...gaps, out })
    const digests = (folder: string, names: readonly string[]) =>
      names.map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ])
    const whole = filesOf(made.folder).filter((name) => name.startsWith('foundation-'))
    const late = filesOf(`${out}-late`)
    expect(lateFiles).toBe(2)
    expect(late.map((name) => [name.split('/')[0], paidBy(name)])).toEqual([
      ['foundation-iot-verified-rewards', '2025-01-31'],
      ['foundation-mobile-verified', '2025-01-31'],
    ])
    const expected = whole.filter(
      (name) =>
        !['2025-01-29', '2025-02-02'].includes(paidBy(name)) &&
        !(name.includes('manifest') && paidBy(name) === '2025-01-30') &&
        !late.includes(name),
    )
    // Seven files each of two missing days, two manifests, two late files.
    expect(expected).toHaveLength(whole.length - 14 - 2 - 2)
    expect(digests(out, filesOf(out))).toEqual(digests(made.folder, expected))
    expect(digests(`${out}-late`, late)).toEqual(digests(made.folder, late))
    const named = rowsOf(out, 'reward_manifests').flatMap(({ written_files }) => written_files as string[])
    for (const name of late) expect(named.indexOf(name.split('/')[1] as string) % 2).toBe(1)
  })

  const wrong: readonly (readonly [Partial<SampleOptions>, string])[] = [
    [{ missingDays: ['2025-02-03'] }, 'missing-day is "2025-02-03"; use a day from 2025-01-28 to 2025-02-02'],
    [{ missingManifests: ['today'] }, 'missing-manifest is "today"; use a day since 1970 as YYYY-MM-DD'],
    [{ lateFiles: ['2025-01-27'] }, 'late-file is "2025-01-27"; use a day from 2025-01-28 to 2025-02-02'],
    [
      { missingDays: ['2025-01-29'], lateFiles: ['2025-01-29'] },
      'missing-day and late-file are both "2025-01-29"; for late-file, use a day that has files',
    ],
  ]
  it.each(wrong)('refuse %j', async (own, sentence) => {
    const out = join(await temporaryFolder(), 'sample')
    await expect(writeSampleNetwork({ ...options, ...own, out })).rejects.toThrow(sentence)
  })
})

describe('the gateways of the ledger', () => {
  const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const numberOf = (base58: string) =>
    [...base58].reduce((sum, char) => sum * 58n + BigInt(ALPHABET.indexOf(char)), 0n)

  it('are the hotspots of the IoT network, with their names and places', () => {
    const gateways = readArchive(made.folder, 'gateway_inventory').map(({ record }) => record)
    const iot = hotspots.filter(({ networks: own }) => String(own).includes('iot'))
    const seen = gateways.map(({ address, name, location }) => [address, name, location])
    expect(seen).toEqual(
      iot.map(({ ecc_key, name, iot_info }) => {
        const { location } = iot_info as ExactRecord
        return [
          ecc_key,
          String(name).toLowerCase().replaceAll(' ', '-'),
          location === null ? null : (location as bigint).toString(16),
        ]
      }),
    )
    expect(seen).toHaveLength(320)
  })

  it('belong to accounts of the same keys as the wallets of their owners, except those that were sold since', () => {
    const gateways = readArchive(made.folder, 'gateway_inventory').map(({ record }) => record)
    const accounts = new Set(
      readArchive(made.folder, 'account_inventory').map(({ record }) => record.address),
    )
    const owners = new Map(hotspots.map(({ ecc_key, owner }) => [ecc_key, owner]))
    const kept = gateways.filter(({ address, owner_address }) => {
      expect(accounts).toContain(owner_address)
      const key = rawOf(owner_address as string)
      expect([key.length, key[0]]).toEqual([33, 1])
      return BigInt(`0x${key.subarray(1).toString('hex')}`) === numberOf(owners.get(address) as string)
    })
    expect(kept.length / gateways.length).toBeGreaterThan(0.8)
    expect(kept.length).toBeLessThan(gateways.length)
  })

  it('earned for the owners in the ledger', () => {
    const gateways = readArchive(made.folder, 'gateway_inventory').map(({ record }) => record)
    const owners = new Map(gateways.map(({ address, owner_address }) => [address, owner_address]))
    const rewards = readArchive(made.folder, 'rewards').map(({ record }) => record)
    const own = rewards.filter(({ gateway_address }) => owners.has(gateway_address))
    expect(own.length).toBeGreaterThan(rewards.length * 0.8)
    expect(own.filter((r) => r.account_address !== owners.get(r.gateway_address))).toEqual([])
  })
})
