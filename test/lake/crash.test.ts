import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import fs from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { makers } from '../../src/catalog/l2/makers.ts'
import { rejects } from '../../src/catalog/lake/rejects.ts'
import { checkpointIfDue } from '../../src/lake/log/checkpoint.ts'
import { readTableLog } from '../../src/lake/log/delta-log.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { retryRejects } from '../../src/write/ingest/retry.ts'
import { openStagingRun } from '../../src/write/store/staging.ts'
import { crash, crashAlong, crashing, crashingCalls, crashModes, endProcess } from '../support/crash.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { leftoversOf } from '../support/lakes/leftovers.ts'
import { MadeUpTable, noParquet } from '../support/lakes/made-up-table.ts'
import { olderBuild } from '../support/lakes/older-build.ts'
import { frameFile, len, message, operational } from '../support/messages/oracle-messages.ts'
import { makerRecord, rowsBySource, writeRecords } from '../support/messages/record-files.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { replaceBuiltin } from '../support/replace-builtin.ts'
import { entryPath } from '../support/tables/log-entries.ts'
import { commitFiles, stageFile } from '../support/tables/staged-files.ts'
import { expectWholeLog } from '../support/tables/whole-log.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

replaceBuiltin(fs, crashingCalls)

beforeEach(() => {
  crash.at = Number.POSITIVE_INFINITY
})

describe.each(crashModes)('a commit of two files while the process or the disk %s at any call', (mode) => {
  async function commitTwo(lake: string): Promise<void> {
    const run = await openStagingRun(lake)
    try {
      const january = await stageFile(run.folder, 'january', ['a.gz'], '2025-01')
      const february = await stageFile(run.folder, 'february', ['a.gz'], '2025-02')
      const label = { operation: 'INGEST', runId: run.id }
      await commitFiles(lake, iotRewardShares, [january, february], label)
    } finally {
      await run.close()
    }
  }

  it('is atomic, and the next run leaves only the files that the log names', async () => {
    const seen = new Set<number>()
    const attempt = async (at: number) => {
      const lake = join(await temporaryFolder(), 'lake')
      const goesOn = await crashing(() => commitTwo(lake), at)
      endProcess(lake)
      const files = (await new Lake(lake).latest()).table(iotRewardShares).files
      seen.add(files.length)
      await commitTwo(lake)
      expect((await new Lake(lake).latest()).table(iotRewardShares).files).toHaveLength(2)
      expectWholeLog(lake)
      expect(leftoversOf(lake)).toEqual([])
      return goesOn
    }
    const calls = await crashAlong(scaled(19, 1), attempt, [mode])
    expect([...seen].sort()).toEqual([0, 2])
    expect(calls).toBeGreaterThan(40)
  })
})

it('a checkpoint interrupted at any call leaves the same state of the table, and the next one is complete', async () => {
  const folder = await temporaryFolder()
  const before = await MadeUpTable.in(join(folder, 'before'), 10)
  await before.commit({ checkpoints: false })
  const expected = before.log
  let at = 1
  for (let goesOn = true; goesOn; at += scaled(7, 1)) {
    const lake = join(folder, `lake-${at}`)
    cpSync(before.lake, lake, { recursive: true })
    const [table, staging] = [join(lake, iotRewardShares.name), join(lake, '_staging', 'test')]
    crash.mode = crashModes[at % 2] ?? 'dies'
    goesOn = await crashing(() => checkpointIfDue(lake, iotRewardShares, noParquet, staging), at)
    expect(await readTableLog(table)).toEqual(expected)
    await checkpointIfDue(lake, iotRewardShares, noParquet, staging)
    for (let entry = 0; entry < 10; entry += 1) rmSync(entryPath(table, entry))
    expect(await readTableLog(table)).toEqual(expected)
    expect(JSON.parse(readFileSync(join(table, '_delta_log', '_last_checkpoint'), 'utf8')).version).toBe(10)
    expect(existsSync(join(table, '_delta_log', '00000000000000000010.checkpoint.parquet'))).toBe(true)
  }
  expect(at).toBeGreaterThan(20)
})

it('an ingest that replaces a file happens whole or not at all when its process or disk fails', async () => {
  const [a, b] = ['iot_reward_share.1738371600001.gz', 'iot_reward_share.1738371600002.gz']
  const unknownReward = message(len(12, 'reward'))
  const folder = await temporaryFolder()
  const [input, before] = [join(folder, 'in'), join(folder, 'before')]
  mkdirSync(input)
  writeFileSync(join(input, a), frameFile([operational(1), unknownReward, unknownReward]))
  writeFileSync(join(input, b), frameFile([operational(100)]))
  await ingestInto(before, [input])
  writeFileSync(join(input, a), frameFile([unknownReward, operational(2)]))

  const seen = new Set<bigint | undefined>()
  // A commit by itself is gone through call by call above.
  const calls = await crashAlong(scaled(97, 4), async (at) => {
    const lake = join(folder, `lake-${at}`)
    cpSync(before, lake, { recursive: true })
    const goesOn = await crashing(() => ingestInto(lake, [input], { replace: true }), at)
    endProcess(lake)
    seen.add((await held(lake)).amount)
    await ingestInto(lake, [input], { replace: true })
    expect(await held(lake)).toEqual({ amount: 102n, refused: 1 })
    expectWholeLog(lake)
    expect(leftoversOf(lake)).toEqual([])
    return goesOn
  })
  expect([...seen].sort()).toEqual([101n, 102n])
  expect(calls).toBeGreaterThan(90)
})

it('a retry of refused messages happens whole or not at all when its process or disk fails', async () => {
  const folder = await temporaryFolder()
  const [input, before] = [join(folder, 'in'), join(folder, 'before')]
  mkdirSync(input)
  const amounts = [1, 20, 300, 4000]
  writeFileSync(
    join(input, 'iot_reward_share.1738371600001.gz'),
    frameFile(amounts.map((amount) => operational(amount))),
  )
  // An older build knew only the first and the third.
  const openReader = olderBuild((row) => row.amount === 20n || row.amount === 4000n)
  await ingestInto(before, [input], { openReader })

  const seen = new Set<bigint | undefined>()
  const calls = await crashAlong(scaled(97, 4), async (at) => {
    const lake = join(folder, `lake-${at}`)
    cpSync(before, lake, { recursive: true })
    const retry = () => retryRejects({ lake, kinds: ['iot_reward_share'], openWriter: openTestWriter })
    const goesOn = await crashing(retry, at)
    endProcess(lake)
    seen.add((await held(lake)).amount)
    await retry()
    expect((await held(lake)).amount).toBe(4321n)
    expectWholeLog(lake)
    expect(leftoversOf(lake)).toEqual([])
    return goesOn
  })
  expect([...seen].sort()).toEqual([301n, 4321n])
  expect(calls).toBeGreaterThan(40)
})

it('an upsert happens whole or not at all when its process or disk fails', async () => {
  const folder = await temporaryFolder()
  const [input, before] = [join(folder, 'in'), join(folder, 'before')]
  mkdirSync(input)
  const give = (name: string, addresses: readonly string[]) =>
    writeRecords(
      join(input, name),
      addresses.map((address) => makerRecord(address, { name })),
    )
  give('makers-1.ndjson', ['a', 'b'])
  await ingestInto(before, [input])
  give('makers-2.ndjson', ['b', 'c'])

  const seen = new Set<string>()
  const calls = await crashAlong(scaled(53, 3), async (at, number) => {
    const lake = join(folder, `lake-${at}`)
    // Half of the time there is no table yet.
    if (number % 4 < 2) cpSync(before, lake, { recursive: true })
    const goesOn = await crashing(() => ingestInto(lake, [input]), at)
    endProcess(lake)
    seen.add(JSON.stringify(await rowsBySource(lake, makers)))
    await ingestInto(lake, [input])
    expect(await rowsBySource(lake, makers)).toEqual({ 'makers-1.ndjson': 1, 'makers-2.ndjson': 2 })
    expectWholeLog(lake)
    expect(leftoversOf(lake)).toEqual([])
    return goesOn
  })
  expect([...seen].sort()).toEqual([
    '{"makers-1.ndjson":1,"makers-2.ndjson":2}',
    '{"makers-1.ndjson":2}',
    '{}',
  ])
  expect(calls).toBeGreaterThan(40)
})

/** What a lake holds of IoT shares, and its refused messages. */
async function held(lake: string): Promise<{ amount: bigint | undefined; refused: number }> {
  const snapshot = await new Lake(lake).latest()
  const sums = snapshot.table(iotRewardShares).statistics.sums({ from: 0n, to: 2n ** 62n }, ['amount'])
  return { amount: sums.amount, refused: snapshot.table(rejects).rows }
}
