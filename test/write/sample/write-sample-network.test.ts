import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  iotRewardShares,
  iotRewardTypes,
  iotUnallocatedRewardTypes,
} from '../../../src/catalog/l2/iot-reward-shares.ts'
import { iotWitnessIngestReports } from '../../../src/catalog/l2/iot-witness-ingest-reports.ts'
import {
  mobileRewardShares,
  mobileRewardTypes,
  mobileUnallocatedRewardTypes,
} from '../../../src/catalog/l2/mobile-reward-shares.ts'
import type { Resource } from '../../../src/catalog/resource.ts'
import { epochsOf } from '../../../src/write/sample/epochs.ts'
import { iotRewards } from '../../../src/write/sample/iot-epoch.ts'
import { manifestOf } from '../../../src/write/sample/manifests.ts'
import { mobileRewards } from '../../../src/write/sample/mobile-epoch.ts'
import { witnessReports } from '../../../src/write/sample/witness-reports.ts'
import { type SampleSummary, writeSampleNetwork } from '../../../src/write/sample/write-sample-network.ts'
import { compileDecoder } from '../../../src/write/wire/decode.ts'
import type { WireFields } from '../../../src/write/wire/field.ts'
import { readFrames } from '../../../src/write/wire/frames.ts'
import { keyText } from '../../../src/write/wire/keys.ts'
import { iotRewardShareFields } from '../../../src/write/wire/messages/iot-reward-share.ts'
import { iotWitnessIngestReportFields } from '../../../src/write/wire/messages/iot-witness-ingest-report.ts'
import { mobileRewardShareFields } from '../../../src/write/wire/messages/mobile-reward-share.ts'
import type { DecodedManifest } from '../../../src/write/wire/messages/network-messages.ts'
import { decodeRewardManifest } from '../../../src/write/wire/messages/reward-manifest.ts'
import { openProtobufReader } from '../../../src/write/wire/reader.ts'
import { some } from '../../support/some.ts'

type Cells = Readonly<Record<string, unknown>>

const IOT = 'foundation-iot-verified-rewards'
const MOBILE = 'foundation-mobile-verified'
const INGEST = 'foundation-iot-ingest'
const network = { days: 6, hotspots: 600, seed: 42, start: '2025-01-28' }
const epochs = epochsOf(network)

let root = ''
let summary: SampleSummary
const written: [path: string, rows: number][] = []
const pathsOf = (category: string, name: string) =>
  written.map(([path]) => path).filter((path) => path.startsWith(`${category}/`) && path.includes(name))
const createdMs = (path: string) => Number(basename(path).split('.')[1])

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sample-network-'))
  const onFile = (path: string, rows: number) => written.push([path, rows])
  summary = await writeSampleNetwork({ ...network, out: join(root, 'first'), onFile })
})
afterAll(() => rm(root, { recursive: true }))

async function readRows(path: string, fields: WireFields, resource: Resource): Promise<readonly Cells[]> {
  const decoder = compileDecoder(fields, Object.keys(resource.columns))
  const rows: Cells[] = []
  await readFrames(join(root, 'first', path), (buffer, start, end) => {
    const reader = openProtobufReader(buffer)
    reader.pos = start
    const variant = decoder.decode(reader, end)
    const cells = decoder.columns.map((column, slot) => [column, comparable(decoder.values[slot])])
    rows.push({ ...Object.fromEntries(cells), ...(variant === null ? {} : { reward_type: variant }) })
  })
  return rows
}

async function readManifests(paths: readonly string[]): Promise<readonly DecodedManifest[]> {
  const manifests: DecodedManifest[] = []
  for (const path of paths) {
    await readFrames(join(root, 'first', path), (buffer, start, end) => {
      const reader = openProtobufReader(buffer)
      reader.pos = start
      manifests.push(decodeRewardManifest(reader, end, undefined))
    })
  }
  return manifests
}

const comparable = (value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value

/** The generated rows, in the form in which they are read back. */
function wentIn(rows: Iterable<object>): readonly Cells[] {
  return Array.from(rows, (row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [
        column,
        column === 'hotspot_key' || column === 'subscriber_id'
          ? keyText(value as Uint8Array)
          : comparable(value),
      ]),
    ),
  )
}

async function readAll(category: string, name: string, fields: WireFields, resource: Resource) {
  const files = await Promise.all(pathsOf(category, name).map((path) => readRows(path, fields, resource)))
  return files.flat()
}
const readIot = () => readAll(IOT, 'share', iotRewardShareFields, iotRewardShares)
const readMobile = () => readAll(MOBILE, 'share', mobileRewardShareFields, mobileRewardShares)

const sumOf = (rows: readonly Cells[], column: string) =>
  rows.reduce((sum, row) => sum + ((row[column] as bigint | null | undefined) ?? 0n), 0n)

/** Truncated decimals have their exact text in the next column. */
const withoutCuts = (row: Cells) =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => !column.endsWith('_exact'))
      .map(([column, value]) => [column, row[`${column}_exact`] ?? value]),
  )

describe('a sample network read back', () => {
  test('has IoT shares and sums equal to the generated rows', async () => {
    const rows = await readIot()
    const expected = wentIn(epochs.flatMap((epoch) => [...iotRewards(epoch).shares()]))
    expect(rows).toHaveLength(expected.length)
    expect(rows).toMatchObject(expected)
    for (const column of ['beacon_amount', 'witness_amount', 'dc_transfer_amount', 'amount']) {
      expect(sumOf(rows, column)).toBe(sumOf(expected, column))
      expect(sumOf(rows, column)).toBeGreaterThan(0n)
    }
  })

  test('has mobile shares and sums equal to the generated rows', async () => {
    const rows = (await readMobile()).map(withoutCuts)
    const expected = wentIn(epochs.flatMap((epoch) => [...mobileRewards(epoch).shares()]))
    expect(rows).toHaveLength(expected.length)
    expect(rows).toMatchObject(expected)
    for (const column of Object.keys(mobileRewardShares.columns)) {
      if (mobileRewardShares.columns[column as keyof typeof mobileRewardShares.columns].kind !== 'amount')
        continue
      expect(sumOf(rows, column), column).toBe(sumOf(expected, column))
      expect(sumOf(rows, column), column).toBeGreaterThan(0n)
    }
  })

  test('has witness reports equal to the generated rows, received after their file was opened', async () => {
    for (const [day, path] of pathsOf(INGEST, 'iot_witness_ingest_report').entries()) {
      const rows = await readRows(path, iotWitnessIngestReportFields, iotWitnessIngestReports)
      const epoch = epochs[day]
      if (epoch === undefined) throw new Error('a file too many')
      expect(rows).toMatchObject(wentIn(witnessReports(epoch, createdMs(path))))
      expect(rows).toHaveLength(60)
      expect(rows[0]?.received_at).toBeGreaterThanOrEqual(BigInt(createdMs(path)) * 1000n)
    }
  })

  test('has manifests equal to the generated ones, which name exactly the share files of their day', async () => {
    for (const [category, name] of [[IOT, 'iot'] as const, [MOBILE, 'mobile'] as const]) {
      const manifests = await readManifests(pathsOf(category, 'manifest'))
      const files = pathsOf(category, 'share').map((path) => basename(path))
      expect(manifests.flatMap((manifest) => manifest.written_files)).toEqual(files)
      const rewardsOf = { iot: iotRewards, mobile: mobileRewards }[name]
      expect(manifests).toEqual(
        epochs.map((epoch, day) =>
          manifestOf(epoch, name, rewardsOf(epoch).bonesPerShare, manifests[day]?.written_files ?? []),
        ),
      )
      expect(manifests.map((manifest) => manifest.epoch)).toEqual([
        20116n,
        20117n,
        20118n,
        20119n,
        20120n,
        20121n,
      ])
    }
  })
})

describe('a sample network has', () => {
  const kinds = (rows: readonly Cells[], column: string) => new Set(rows.map((row) => row[column]))

  test('every variant and every kind of unallocated reward', async () => {
    const iot = await readIot()
    expect(kinds(iot, 'reward_type')).toEqual(new Set(iotRewardTypes))
    expect(kinds(iot, 'unallocated_reward_type')).toEqual(new Set([null, ...iotUnallocatedRewardTypes]))
    const mobile = await readMobile()
    expect(kinds(mobile, 'reward_type')).toEqual(new Set(mobileRewardTypes))
    expect(kinds(mobile, 'unallocated_reward_type')).toEqual(new Set([null, ...mobileUnallocatedRewardTypes]))
  })

  test('decimals beyond 18 digits, radios without coverage object, and rewards of nothing', async () => {
    const manifests = await readManifests(pathsOf(MOBILE, 'manifest'))
    for (const { poc_bones_per_reward_share, poc_bones_per_reward_share_exact } of some(manifests)) {
      expect(poc_bones_per_reward_share_exact?.length).toBeGreaterThan(
        poc_bones_per_reward_share?.length ?? 0,
      )
    }
    const v2 = (await readMobile()).filter((row) => row.reward_type === 'radio_reward_v2')
    expect(v2.some((row) => row.coverage_object === null)).toBe(true)
    expect((await readIot()).some((row) => row.beacon_amount === 0n)).toBe(true)
  })

  test('radio_reward only before the token changed, radio_reward_v2 before and after', async () => {
    const mobile = await readMobile()
    const change = epochs[3]?.start as bigint
    const first = mobile.filter((row) => row.reward_type === 'radio_reward')
    const second = mobile.filter((row) => row.reward_type === 'radio_reward_v2')
    for (const row of some(first)) expect(row.start_period as bigint).toBeLessThan(change)
    expect(second.some((row) => (row.start_period as bigint) < change)).toBe(true)
    expect(second.some((row) => (row.start_period as bigint) >= change)).toBe(true)
  })

  test('keys of three types: of hotspots, of mappers, and long ones', () => {
    const [day] = epochs
    if (day === undefined) throw new Error('no day')
    const rows = [...mobileRewards(day).shares()]
    const lengths = new Set(rows.flatMap((row) => (row.hotspot_key ? [row.hotspot_key.length] : [])))
    expect(lengths).toEqual(new Set([33, 264]))
    const mappers = rows.flatMap((row) => (row.subscriber_id ? [row.subscriber_id[0]] : []))
    expect(new Set(mappers)).toEqual(new Set([1]))
  })
})

describe('hotspots', () => {
  const earners = (rows: readonly Cells[], day: number) =>
    new Map(
      rows
        .filter((row) => row.reward_type === 'gateway_reward' && row.start_period === epochs[day]?.start)
        .map((row) => [row.hotspot_key as string, Number(row.witness_amount)]),
    )

  test('earn on most days, and about nine of ten earn on the next day too', async () => {
    const rows = await readIot()
    const yesterday = earners(rows, 4)
    const today = earners(rows, 5)
    // Of ten hotspots eight are on the IoT network.
    for (const day of [yesterday, today]) expect(day.size / network.hotspots).toBeGreaterThan(0.8 * 0.85)
    const again = [...yesterday.keys()].filter((key) => today.has(key)).length
    expect(again / yesterday.size).toBeGreaterThan(0.85)
    expect(again).toBeLessThan(yesterday.size)
  })

  test('keep their rank from day to day', async () => {
    const rows = await readIot()
    const yesterday = earners(rows, 4)
    const today = earners(rows, 5)
    const top = [...yesterday].sort(([, a], [, b]) => b - a).slice(0, 60)
    const median = [...today.values()].sort((a, b) => a - b)[Math.floor(today.size / 2)] ?? 0
    const above = top.filter(([key]) => (today.get(key) ?? 0) > median).length
    expect(above / top.length).toBeGreaterThan(0.8)
  })

  test('earn on both networks now and then', async () => {
    const iot = new Set((await readIot()).map((row) => row.hotspot_key))
    const both = (await readMobile()).filter((row) => row.hotspot_key !== null && iot.has(row.hotspot_key))
    expect(both.length).toBeGreaterThan(0)
  })
})

describe('files', () => {
  test('have the name of their token and a creation time of 60 to 62 minutes after the day, the manifest last', () => {
    for (const [category, name] of [[IOT, 'iot'] as const, [MOBILE, 'mobile'] as const]) {
      const shares = pathsOf(category, 'share').map((path) => basename(path).split('.')[0])
      const oldName = `${name}_reward_share`
      const newName = `${name}_network_reward_shares_v1`
      expect(shares).toEqual([...Array(6).fill(oldName), ...Array(6).fill(newName)])
      const manifests = pathsOf(category, 'manifest').map((path) => basename(path).split('.')[0])
      const [oldManifest, newManifest] = ['reward_manifest', 'network_reward_manifest_v1']
      expect(manifests).toEqual([...Array(3).fill(oldManifest), ...Array(3).fill(newManifest)])
      for (const [day, epoch] of epochs.entries()) {
        const endMs = Number(epoch.end / 1000n)
        const paths = [pathsOf(category, 'share')[2 * day], pathsOf(category, 'share')[2 * day + 1]]
        const times = [...paths, pathsOf(category, 'manifest')[day]].map((path) => createdMs(path ?? ''))
        expect(times[0]).toBeGreaterThanOrEqual(endMs + 60 * 60_000)
        expect(times[1]).toBeGreaterThan(times[0] ?? 0)
        expect(times[2]).toBeGreaterThan(times[1] ?? 0)
        expect(times[2]).toBeLessThanOrEqual(endMs + 62 * 60_000)
      }
    }
  })

  test('are the only ones in the folder, and the summary counts them', async () => {
    const found = (await readdir(join(root, 'first'), { recursive: true })).filter((path) =>
      path.endsWith('.gz'),
    )
    expect(found.sort()).toEqual(written.map(([path]) => path).sort())
    const sizes = await Promise.all(found.map((path) => stat(join(root, 'first', path))))
    expect(summary).toEqual({
      files: found.length,
      rows: (await readIot()).length + (await readMobile()).length,
      bytes: sizes.reduce((sum, { size }) => sum + size, 0),
      lateFiles: 0,
    })
    const shares = written.filter(([path]) => path.includes('share'))
    expect(shares.reduce((sum, [, rows]) => sum + rows, 0)).toBe(summary.rows)
  })
})

describe('the same bytes', () => {
  /** Hashes of all files of a network, by path. */
  async function hashesOf(folder: string, options: object): Promise<ReadonlyMap<string, string>> {
    const out = join(root, folder)
    const paths: string[] = []
    const onFile = (path: string) => paths.push(path)
    await writeSampleNetwork({ days: 4, hotspots: 60, seed: 7, ...options, out, onFile })
    const hash = async (path: string): Promise<[string, string]> => {
      const content = await readFile(join(out, path))
      return [path, createHash('sha256').update(content).digest('hex')]
    }
    return new Map(await Promise.all(paths.map(hash)))
  }

  test('result from equal seeds in any notation', async () => {
    const hashes = await hashesOf('number', { seed: 7 })
    expect(await hashesOf('bigint', { seed: 7n })).toEqual(hashes)
    expect(await hashesOf('text', { seed: '7' })).toEqual(hashes)
  })

  test('do not result from another seed', async () => {
    const hashes = new Set((await hashesOf('seven', { seed: 7 })).values())
    const others = await hashesOf('eight', { seed: 8 })
    for (const hash of some(others.values())) expect(hashes).not.toContain(hash)
  })

  test('are the beginning of a longer sample', async () => {
    const short = await hashesOf('short', { days: 3, start: '2025-01-30' })
    const long = await hashesOf('long', { days: 6, start: '2025-01-30' })
    expect([...long].slice(0, short.size)).toEqual([...short])
  })
})

test('a single hotspot for a single day has files of each kind', async () => {
  const names: string[] = []
  const onFile = (path: string) => names.push(basename(path).split('.')[0] ?? '')
  const one = await writeSampleNetwork({ days: 1, hotspots: 1, seed: 'one', out: join(root, 'one'), onFile })
  expect(names).toEqual([
    ...Array(2).fill('iot_reward_share'),
    'reward_manifest',
    ...Array(2).fill('mobile_reward_share'),
    'reward_manifest',
    'iot_witness_ingest_report',
  ])
  expect(one).toMatchObject({ files: 7 })
})
