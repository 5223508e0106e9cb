import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Value } from '../../src/catalog/column.ts'
import { artifactKinds } from '../../src/ingest/artifact.ts'
import { type RetryRequest, retryRejects } from '../../src/ingest/retry.ts'
import { Lake } from '../../src/lake/lake.ts'
import { lakeStatus } from '../../src/lake/status.ts'
import { ingestInto } from './build-lake.ts'
import {
  dayBefore,
  hotspot,
  iotShare,
  makeLake,
  manifest,
  mobileShare,
  type OracleFiles,
} from './make-lake.ts'
import { olderBuild } from './older-build.ts'
import { answersOf, liveRows } from './read-answers.ts'
import { versionOf } from './read-table.ts'
import { openWriter } from './store-made-up.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { scaled } from './tier.ts'

/** A small network of both kinds of shares, and lakes of it by this build and by older ones. */

/** Seconds of a day. */
export const DAY = 86_400
/** The last two days of January, and the day before them. */
const days = ['2025-01-30', '2025-01-31', '2025-02-01'].map(dayBefore)
const lastDay = dayBefore('2025-02-01')
export const a = 'iot_reward_share.1738371600001.gz'
export const b = 'iot_reward_share.1738371600002.gz'
export const shares = 'mobile_reward_share.1738371600003.gz'

/** Hotspots in the order of their texts, which is that of the table. */
export const hotspots = [7, 3, 9, 1, 5, 2, 8]
  .map(hotspot)
  .sort((x, y) => Buffer.compare(Buffer.from(x.text), Buffer.from(y.text)))
const kinds = ['poc', 'operation', 'oracle', 'data'].map((kind) => `unallocated_reward_type_${kind}`)

/** Messages in no order of the table: days and variants take turns, hotspots run backwards. */
const iotMessages = [...hotspots].reverse().flatMap(({ raw }, number) =>
  days.flatMap((period, day) => {
    const gateway = { reward_type: 'gateway_reward', hotspot_key: raw, witness_amount: 2n ** 63n }
    const unallocated = {
      reward_type: 'unallocated_reward',
      unallocated_reward_type: kinds[number % 4] ?? null,
    }
    return [
      iotShare({ ...period, ...gateway, beacon_amount: BigInt(10 * number + day) }),
      iotShare({ ...period, reward_type: 'operational_reward', amount: BigInt(1000 + number) }),
      iotShare({ ...period, ...unallocated, amount: 2n ** 64n - 1n }),
    ]
  }),
)
const mobileMessages = hotspots.flatMap(({ raw: hotspot_key }, number) => {
  const gateway = { reward_type: 'gateway_reward', hotspot_key, rewardable_bytes: 5n, price: 6n }
  const radio = { reward_type: 'radio_reward_v2', hotspot_key, base_poc_reward: BigInt(11 + number) }
  const unallocated_reward_type = 'unallocated_reward_type_discovery_location'
  return [
    mobileShare({ ...lastDay, ...gateway, dc_transfer_reward: BigInt(100 + number) }),
    mobileShare({ ...lastDay, ...radio, base_coverage_points_sum: `${number}.5` }),
    mobileShare({
      ...{ ...lastDay, reward_type: 'unallocated_reward', unallocated_reward_type },
      amount: BigInt(50 + number),
    }),
  ]
})
export const files: OracleFiles = {
  [a]: iotMessages,
  [b]: iotMessages.slice(4, 30).reverse(),
  [shares]: mobileMessages,
  'reward_manifest.1738371600004.gz': [
    manifest({
      ...{ written_files: [shares], epoch: 20_119n, price: 3n, token: 'mobile_reward_token_main' },
      ...{ start_timestamp: lastDay.start_period, end_timestamp: lastDay.end_period },
    }),
  ],
}

export const all = { from: '2025-01-01', to: '2025-03-01' }
const typesOf = {
  '/l2/iot-reward-shares': ['gateway_reward', 'operational_reward', 'unallocated_reward'],
  '/l2/mobile-reward-shares': ['gateway_reward', 'unallocated_reward', 'radio_reward_v2'],
}
export const queries = Object.entries(typesOf).flatMap(([list, types]) => {
  const ofHotspot = { ...all, hotspot_key: hotspots[3]?.text ?? '', per_page: '2' }
  const few = [
    { ...all, per_page: '100' },
    { from: '2025-01-31', to: '2025-02-01', per_page: '4' },
    ofHotspot,
  ]
  const byType = types.map((reward_type) => ({ ...all, reward_type, per_page: '2' }))
  return scaled(few, [...few, { ...all, per_page: '3' }, ...byType]).map((params) => [list, params] as const)
})

export type DecodedRow = Readonly<Record<string, Value>>
export const key = (place: number) => (row: DecodedRow) => row.hotspot_key === hotspots.at(place)?.text
export const day = (number: 0 | 1 | 2) => (row: DecodedRow) => row.end_period === days[number]?.end_period
export const inFebruary = day(2)

export interface RetryNetwork {
  /** Folder of the oracle files. */
  readonly input: string
  /** A lake by this build. */
  readonly fresh: string
  /** Expects a lake to answer and hold what the one by this build does, and to have no rejects. */
  expectFresh(lake: string): Promise<void>
  remove(): Promise<void>
}

export async function makeNetwork(): Promise<RetryNetwork> {
  const { folder: fresh, input, remove } = await makeLake(files)
  const [answers, rows] = [await answersOf(fresh, queries), await liveRows(fresh)]
  return {
    input,
    fresh,
    remove,
    async expectFresh(lake) {
      expect(await answersOf(lake, queries)).toEqual(answers)
      expect(sortRows(await liveRows(lake))).toEqual(sortRows(rows))
      const none = { rejects: { rows: 0, refused: 0 } }
      expect({ ...(await countsOf(lake)), ...none }).toEqual({ ...(await countsOf(fresh)), ...none })
      expect(stagedIn(lake)).toEqual([])
    },
  }
}

const sortRows = (tables: Awaited<ReturnType<typeof liveRows>>) =>
  Object.fromEntries(
    Object.entries(tables).map(([table, own]) => [
      table,
      own.map((row) => Object.entries(row).join()).sort(),
    ]),
  )

export const retry = (lake: string, more: Partial<RetryRequest> = {}) =>
  retryRejects({ lake, kinds: artifactKinds, openWriter, ...more })

/** A lake of the same files by an older build. */
export async function olderLake(refuses: (row: DecodedRow) => boolean, paths: readonly string[]) {
  const lake = join(await temporaryFolder(), 'lake')
  const summary = await ingestInto(lake, paths, { maxRejects: 1000, openReader: olderBuild(refuses) })
  expect(summary.failed).toEqual([])
  expect(summary.refusedRows).toBeGreaterThan(0)
  return { lake, refused: summary.refusedRows }
}

export async function countsOf(lake: string) {
  const { tables } = lakeStatus(await new Lake(lake).latest())
  return Object.fromEntries(tables.map(({ table, rows, refused }) => [table, { rows, refused }]))
}

export const versions = (lake: string) =>
  ['iot_reward_shares', 'mobile_reward_shares', 'rejects'].map((table) => versionOf(lake, table))

/** What a run has left behind of its staging. */
export function stagedIn(lake: string): readonly string[] {
  const folder = join(lake, '_staging')
  return existsSync(folder) ? readdirSync(folder) : []
}
