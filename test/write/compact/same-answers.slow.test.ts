import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { resources } from '../../../src/catalog/resources.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { type CompactedPartition, compact } from '../../../src/write/compact/compact.ts'
import { artifactKinds } from '../../../src/write/ingest/files/artifact.ts'
import { retryRejects } from '../../../src/write/ingest/retry.ts'
import { everyAnswer } from '../../support/every-answer.ts'
import { smallNetwork } from '../../support/fixtures.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { leftoversOf } from '../../support/lakes/leftovers.ts'
import { hotspot } from '../../support/lakes/make-lake.ts'
import { olderBuild } from '../../support/lakes/older-build.ts'
import { craftArtifact, oneDay } from '../../support/messages/craft-artifacts.ts'
import { drawArchive } from '../../support/network/archive.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { some } from '../../support/some.ts'
import { addedFiles, locationOf, readEntries, readExactRows } from '../../support/tables/delta-table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

const MONTHS = ['2025-01', '2025-02']

let lake = ''
/** A server of the compacted lake, and one that served it before. */
let after: TestServer
let server: TestServer
let before: Awaited<ReturnType<typeof everyAnswer>>
let older = ''
let olderRows: Awaited<ReturnType<typeof rowsOf>>
let closed: readonly CompactedPartition[]
let named: readonly CompactedPartition[]

/** Rows of every table, by another reader, in an order of their texts. */
async function rowsOf() {
  const tables = resources.filter(({ name }) => readEntries(join(lake, name)).length > 0)
  const rows: Record<string, readonly string[]> = {}
  for (const { name } of tables) {
    const files = addedFiles(join(lake, name)).map((file) => locationOf(join(lake, name), file))
    const read = (await Promise.all(files.map((file) => readExactRows(file)))).flat()
    rows[name] = read.map((row) => Object.entries(row).join()).sort()
  }
  return rows
}

/** Shares of equal amounts, some of them the same message twice. */
const equalShares = (amount: bigint) =>
  Array.from({ length: 40 }, (_, place) => ({
    ...oneDay,
    reward_type: 'gateway_reward',
    hotspot_key: hotspot(place % 7).raw,
    witness_amount: amount,
  }))

/** Every file in a commit of its own, some of them first by an older build, one replaced, and an archive in pieces. */
async function fillLake(folder: string): Promise<void> {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  for (const name of [first, second]) mkdirSync(name)
  const refuses = olderBuild((row) => row.reward_type === 'unallocated_reward')
  const byOlder = { commitRows: 1, maxRejects: 1000, openReader: refuses }
  await ingestInto(lake, [join(smallNetwork, 'oracle')], byOlder)
  await ingestInto(lake, [craftArtifact(first, 'iot_reward_share', 1738110600999, equalShares(7n))])
  await ingestInto(lake, [craftArtifact(first, 'iot_reward_share', 1738110600998, equalShares(7n))])
  const replaced = craftArtifact(second, 'iot_reward_share', 1738110600999, equalShares(2n ** 64n - 1n))
  await ingestInto(lake, [replaced], { replace: true })
  const retried = await retryRejects({ lake, kinds: artifactKinds, openWriter: openTestWriter })
  expect(retried.taken).toBeGreaterThan(1)

  const { parts, l2 } = await drawArchive(
    folder,
    { transactions: scaled(200, 1000), blocks: scaled(120_000, 320_000), seed: 5 },
    6,
  )
  for (const run of [0, 1, 2]) {
    const own = parts.filter((_, index) => index % 3 === run)
    expect(await ingestInto(lake, own, { commitRows: 1000 })).toMatchObject({
      failed: [],
      refusedRows: 0,
    })
  }
  await ingestInto(lake, [l2])
}

const filesIn = async (table: string, partition: string) => {
  const found = (await new Lake(lake).latest()).tables.find(({ resource }) => resource.name === table)
  return (found?.files ?? []).filter((file) => file.partition === partition)
}

beforeAll(async () => {
  const folder = await temporaryFolder()
  lake = join(folder, 'lake')
  await fillLake(folder)
  server = await buildTestServer(lake, 20)
  before = await everyAnswer(server)
  older = (await new Lake(lake).latest()).id
  olderRows = await rowsOf()
  closed = await compact({ lake, openWriter: openTestWriter })
  named = await compact({ lake, openWriter: openTestWriter, months: MONTHS })
  after = await buildTestServer(lake)
})

it('a compaction merges every partition but the newest, and the newest if it is named', async () => {
  const tablesOf = (partitions: readonly CompactedPartition[]) => [
    ...new Set(partitions.map(({ table }) => table)),
  ]
  expect(tablesOf(closed)).toEqual([
    'iot_reward_shares',
    'mobile_reward_shares',
    'reward_manifests',
    'l1_transactions',
    'l1_transaction_actors',
    'l1_dc_burns',
    'l1_packets',
    'l1_rewards',
  ])
  expect(closed.every(({ filesBefore, filesAfter }) => filesBefore > 1 && filesAfter === 1)).toBe(true)
  const oracle = named.filter(({ table }) => !table.startsWith('l1_'))
  expect(oracle.map(({ table, partition }) => `${table} ${partition}`)).toEqual([
    'reward_manifests 2025-02',
    'iot_witness_ingest_reports 2025-01',
  ])
})

it('a compaction changes no byte of any page, total, lookup or cursor, at the new snapshot or the old one', async () => {
  expect(Object.keys(before).length).toBeGreaterThan(70)
  expect(await everyAnswer(after)).toEqual(before)
  expect((await new Lake(lake).latest()).id).not.toBe(older)
  expect(await everyAnswer(after, older)).toEqual(before)
})

it('a compaction keeps every value of every row, as another reader sees it', async () => {
  expect(Object.values(olderRows).flat().length).toBeGreaterThan(1000)
  expect(await rowsOf()).toEqual(olderRows)
})

it('a compaction writes one log entry for each table without dataChange, and a checkpoint', () => {
  for (const { name } of resources) {
    const table = join(lake, name)
    const entries = readEntries(table).filter(({ text }) => text.includes('"operation":"OPTIMIZE"'))
    const calls = [closed, named].filter((call) => call.some(({ table }) => table === name))
    expect(entries).toHaveLength(calls.length)
    const names = readdirSync(join(table, '_delta_log'))
    for (const { actions, version } of entries) {
      expect(names).toContain(`_snapshot.${String(version).padStart(20, '0')}.ndjson.gz`)
      const changes = actions.flatMap(({ add, remove }) => [add ?? remove ?? []].flat())
      for (const { dataChange } of some(changes)) expect(dataChange).toBe(false)
    }
  }
})

it('a compaction keeps the counts of every source: rows, refused and retried messages, and sums', async () => {
  const [now, then] = [await new Lake(lake).latest(), await new Lake(lake).at(older)]
  for (const { resource, sources } of then?.tables ?? []) {
    const kept = now.table(resource).sources
    expect([...kept].sort(([a], [b]) => (a < b ? -1 : 1))).toEqual(
      [...sources].sort(([a], [b]) => (a < b ? -1 : 1)),
    )
  }
})

it('a page of a compacted month reads at most one file of shares and its manifests', async () => {
  const range = { from: '2025-01-01', to: '2025-01-31', per_page: '100' }
  for (const list of ['iot', 'mobile']) {
    for (const page of ['1', '2', '5']) {
      const { files } = after.engine.work()
      const { status } = await after.get(
        `/l2/${list}-reward-shares?${new URLSearchParams({ ...range, page })}`,
      )
      expect(status).toBe(200)
      // One of shares, and those of the embedded manifests.
      const manifests = (await filesIn('reward_manifests', '2025-01')).length
      expect(after.engine.work().files - files).toBeLessThanOrEqual(1 + manifests)
    }
  }
})

it('a second compaction does nothing', async () => {
  const { id } = await new Lake(lake).latest()
  expect(await compact({ lake, openWriter: openTestWriter })).toEqual([])
  expect(await compact({ lake, openWriter: openTestWriter, months: MONTHS })).toEqual([])
  expect((await new Lake(lake).latest()).id).toBe(id)
  expect(leftoversOf(lake)).toEqual([])
})

it('a compacted file that is ingested again changes nothing, and can be replaced', async () => {
  const oracle = await ingestInto(lake, [join(smallNetwork, 'oracle')])
  expect(oracle).toMatchObject({ stored: 0, failed: [] })
  const [file] = await filesIn('iot_reward_shares', '2025-01')
  expect(file?.sources.length).toBeGreaterThan(2)
})
