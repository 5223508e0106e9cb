import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Lake } from '../../src/services/library/api.ts'
import { openLake } from '../../src/services/library/library.ts'
import { writeCsvPart } from '../support/archive/csv.ts'
import { filesBelow } from '../support/lakes/leftovers.ts'
import { iotReward, thirtyShares, writeOracleFiles } from '../support/lakes/make-lake.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitUntil } from '../support/wait.ts'

const DAY = '2025-02-02'
/** More than one chunk of a file has. */
const SHARES = 60_000
const PACKETS = 300_000
const enough = new Error('enough')
const range = { from: '2025-02-01', to: '2025-02-03' }

/** A lake with one day, and a folder with a long file of another. */
async function openWithInput() {
  const folder = await temporaryFolder()
  const lake = await openLake(join(folder, 'lake'))
  onTestFinished(() => lake.close())
  const [before, input] = [join(folder, 'before'), join(folder, 'input')]
  await writeOracleFiles(before, { 'iot/iot_reward_share.1.gz': thirtyShares('2025-02-01') })
  await lake.ingest([before])
  const shares = Array.from({ length: SHARES }, (_, number) => iotReward(DAY, number, { beacon_amount: 1n }))
  await writeOracleFiles(input, { 'iot/iot_reward_share.2.gz': shares })
  return { lake, input }
}

/** What the lake has, and what an ingest may leave. */
async function stateOf(lake: Lake) {
  const { snapshot } = await lake.coverage()
  return { snapshot, files: filesBelow(lake.folder).filter((path) => !path.startsWith('_readers/')) }
}

const staging = (lake: Lake) => filesBelow(join(lake.folder, '_staging'))

it('an ingest that is aborted within a file leaves the lake as it was, and a later one takes the file in', async () => {
  const { lake, input } = await openWithInput()
  const before = await stateOf(lake)
  const stop = new AbortController()
  let looks = 0
  const isAborted = stop.signal.throwIfAborted.bind(stop.signal)
  vi.spyOn(stop.signal, 'throwIfAborted').mockImplementation(() => {
    looks += 1
    if (looks === 6) stop.abort(enough)
    isAborted()
  })
  await expect(lake.ingest([input], { signal: stop.signal })).rejects.toBe(enough)
  // Before the run, before the file, with the chunks of the file, and to find the reason.
  expect(looks).toBe(7)
  expect(await stateOf(lake)).toEqual(before)
  expect(readdirSync(join(lake.folder, '_staging'))).toEqual([])
  expect((await lake.ingest([input])).rows).toBe(SHARES)
  expect((await lake.iotRewardShares.totals(range)).totalBeaconAmount).toBe(BigInt(SHARES + 30 * 7))
})

it.each([
  ['rows are written', 'iot_reward_share', '/iot_reward_shares/'],
  ['CSV is loaded', 'l1_packets', '/l1_packets-0.csv.parquet'],
])('an ingest that is aborted while %s leaves the lake as it was', async (_when, kind, begun) => {
  const { lake, input } = await openWithInput()
  const lines = Array.from({ length: PACKETS }, (_, number) => [
    ...['1000', `hash-${number}`, `${1_600_000_000 + number}`, null, `${number}`, '1'],
  ])
  if (kind === 'l1_packets') writeCsvPart(join(input, 'packets', 'data_xaa.csv.gz'), lines)
  const before = await stateOf(lake)
  const stop = new AbortController()
  const ingest = lake.ingest([input], { only: [kind], signal: stop.signal })
  ingest.catch(() => {})
  await waitUntil(() => staging(lake).some((path) => path.includes(begun)))
  stop.abort(enough)
  await expect(ingest).rejects.toBe(enough)
  expect(await stateOf(lake)).toEqual(before)
  expect(readdirSync(join(lake.folder, '_staging'))).toEqual([])
})
