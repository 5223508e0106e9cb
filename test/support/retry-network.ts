import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Value } from '../../src/catalog/column.ts'
import { openDuckdbRowWriter } from '../../src/engine/duckdb/duckdb-row-writer.ts'
import { artifactKinds } from '../../src/ingest/artifact.ts'
import { type RetryRequest, retryRejects } from '../../src/ingest/retry.ts'
import { Lake } from '../../src/lake/lake.ts'
import { lakeStatus } from '../../src/lake/status.ts'
import { ingestInto } from './build-lake.ts'
import { hotspot } from './make-lake.ts'
import { olderBuild } from './older-build.ts'
import { dayEnd, dec, frameFile, len, message, num, operational, period } from './oracle-messages.ts'
import { answersOf, liveRows } from './read-answers.ts'
import { versionOf } from './read-table.ts'
import { makeFolder, temporaryFolder } from './temporary-folder.ts'

/** A small network of both kinds of shares, and lakes of it by this build and by older ones. */

export const DAY = 86_400
/** Period ends: the last two days of January and the first of February. */
const ends = [dayEnd - 2 * DAY, dayEnd - DAY, dayEnd] as const
export const a = 'iot_reward_share.1738371600001.gz'
export const b = 'iot_reward_share.1738371600002.gz'
export const shares = 'mobile_reward_share.1738371600003.gz'

/** Hotspots in the order of their texts, which is that of the table. */
export const hotspots = [7, 3, 9, 1, 5, 2, 8]
  .map(hotspot)
  .sort((x, y) => Buffer.compare(Buffer.from(x.text), Buffer.from(y.text)))
const iotGateway = (end: number, key: Uint8Array, amount: number) =>
  message(period(end), len(3, len(1, key), num(2, amount), num(3, 2n ** 63n)))
const mobileGateway = (key: Uint8Array, amount: number) =>
  message(period(), len(4, len(1, key), num(2, amount), num(3, 5), num(4, 6)))

/** Messages in no order of the table: days and variants take turns, hotspots run backwards. */
const iotMessages = [...hotspots]
  .reverse()
  .flatMap(({ raw }, number) =>
    ends.flatMap((end, day) => [
      iotGateway(end, raw, 10 * number + day),
      operational(1000 + number, end),
      message(period(end), len(5, num(1, number % 4), num(2, 2n ** 64n - 1n))),
    ]),
  )
const mobileMessages = hotspots.flatMap(({ raw }, number) => [
  mobileGateway(raw, 100 + number),
  message(period(), len(8, len(1, raw), num(7, 11 + number), dec(3, `${number}.5`))),
  message(period(), len(7, num(1, 1), num(2, 50 + number))),
])
export const files: Readonly<Record<string, readonly Uint8Array[]>> = {
  [a]: iotMessages,
  [b]: iotMessages.slice(4, 30).reverse(),
  [shares]: mobileMessages,
  'reward_manifest.1738371600004.gz': [
    message(
      len(1, shares),
      num(2, dayEnd - DAY),
      num(3, dayEnd),
      len(4, num(4, 1)),
      num(6, 20119),
      num(7, 3),
    ),
  ],
}

export const all = { from: '2025-01-01', to: '2025-03-01' }
const typesOf = {
  '/l2/iot-reward-shares': ['gateway_reward', 'operational_reward', 'unallocated_reward'],
  '/l2/mobile-reward-shares': ['gateway_reward', 'unallocated_reward', 'radio_reward_v2'],
}
export const queries = Object.entries(typesOf).flatMap(([list, types]) =>
  [
    { ...all, per_page: '3' },
    { ...all, per_page: '100' },
    { from: '2025-01-31', to: '2025-02-01', per_page: '4' },
    ...types.map((reward_type) => ({ ...all, reward_type, per_page: '2' })),
    { ...all, hotspot_key: hotspots[3]?.text ?? '', per_page: '2' },
  ].map((params) => [list, params] as const),
)

export type DecodedRow = Readonly<Record<string, Value>>
export const key = (place: number) => (row: DecodedRow) => row.hotspot_key === hotspots.at(place)?.text
export const day = (number: 0 | 1 | 2) => (row: DecodedRow) =>
  row.end_period === BigInt(ends[number]) * 1_000_000n
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
  const { folder, remove } = await makeFolder()
  const [input, fresh] = [join(folder, 'in'), join(folder, 'fresh')]
  mkdirSync(input)
  for (const [name, messages] of Object.entries(files)) writeFileSync(join(input, name), frameFile(messages))
  await ingestInto(fresh, [input])
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

export const openWriter = (spillFolder: string) =>
  openDuckdbRowWriter({ spillFolder, memoryMb: 256, threads: 2 })
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
