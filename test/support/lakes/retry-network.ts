import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'vitest'
import type { Value } from '../../../src/catalog/column.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { lakeStatus } from '../../../src/lake/snapshot/status.ts'
import { artifactKinds } from '../../../src/write/ingest/files/artifact.ts'
import { type RetryRequest, retryRejects } from '../../../src/write/ingest/retry.ts'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { oracleFiles } from '../network/oracle-files.ts'
import type { Network } from '../network/reward-types.ts'
import { drawFile, type ShareFile } from '../network/shares.ts'
import { openTestWriter } from '../open-test-writer.ts'
import { answersOf, liveRows } from '../read-answers.ts'
import { versionOf } from '../tables/read-table.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { scaled } from '../tier.ts'
import { ingestInto } from './build-lake.ts'
import { hotspot, makeLake, type OracleFiles } from './make-lake.ts'
import { olderBuild } from './older-build.ts'

/** A small network of both kinds of shares, and lakes of it by this build and by older ones. */

/** The last two days of January, and the day before them; the last of them ends in February. */
const ends = ['2025-01-30', '2025-01-31', '2025-02-01'].map((date) => BigInt(Date.parse(date)) / 1000n)
const random = openRandom(deriveSeed('retry'))
const draw = (network: Network, name: string, count: number, manifests: ShareFile['manifests']) => ({
  ...drawFile(random, { network, name, ends, count, hotspots: 7 }),
  manifests,
})
export const drawn = [
  draw('iot', 'iot_reward_share.1738371600001.gz', 60, []),
  draw('iot', 'iot_reward_share.1738371600002.gz', 30, []),
  draw('mobile', 'mobile_reward_share.1738371600003.gz', 40, [{ price: 3n, isMain: true }]),
] as const
export const b = drawn[1].name

/** Hotspots in the order of their texts, which is that of the table. */
export const hotspots = Array.from({ length: 7 }, (_, number) => hotspot(number)).sort((x, y) =>
  Buffer.compare(Buffer.from(x.text), Buffer.from(y.text)),
)
/** How many shares the hotspot at a place has on each network. */
export function sharesOf(place: number): { readonly iot: number; readonly mobile: number } {
  const own = drawn.flatMap((file) => file.shares).filter((share) => share.hotspot === hotspots[place]?.text)
  const mobile = own.filter(({ network }) => network === 'mobile').length
  expect([mobile, own.length - mobile]).not.toContain(0)
  return { iot: own.length - mobile, mobile }
}

export const files: OracleFiles = Object.fromEntries(
  Object.entries(oracleFiles(drawn)).map(([path, messages]) => [basename(path), messages]),
)

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
export const day = (number: 0 | 1 | 2) => (row: DecodedRow) =>
  row.end_period === (ends[number] ?? 0n) * 1_000_000n
export const inFebruary = day(2)

export interface RetryNetwork {
  /** Folder of the oracle files. */
  readonly input: string
  /** What a lake by this build answers. */
  readonly answers: Readonly<Record<string, string>>
  /** Expects a lake to answer and hold what one by this build does, and to have no rejects. */
  expectFresh(lake: string): Promise<void>
}

export async function makeNetwork(): Promise<RetryNetwork> {
  const { folder: fresh, input } = await makeLake(files)
  const [answers, rows] = [await answersOf(fresh, queries), await liveRows(fresh)]
  return {
    input,
    answers,
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
  retryRejects({ lake, kinds: artifactKinds, openWriter: openTestWriter, ...more })

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
