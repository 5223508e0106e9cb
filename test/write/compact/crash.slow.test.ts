import { cpSync, mkdirSync } from 'node:fs'
import fs from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { vacuum } from '../../../src/lake/vacuum/vacuum.ts'
import { compact } from '../../../src/write/compact/compact.ts'
import { crash, crashAlong, crashing, crashingCalls, endProcess } from '../../support/crash.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { filesBelow, leftoversOf } from '../../support/lakes/leftovers.ts'
import { craftArtifact, oneDay } from '../../support/messages/craft-artifacts.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { replaceBuiltin } from '../../support/replace-builtin.ts'
import { addedFiles } from '../../support/tables/delta-table.ts'
import { expectWholeLog } from '../../support/tables/whole-log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

replaceBuiltin(fs, crashingCalls)

beforeEach(() => {
  crash.at = Number.POSITIVE_INFINITY
})

const MONTH_US = 31n * 86_400_000_000n

/** Three files of January and three of February, and one of March. */
async function lakeOfSeven(folder: string): Promise<string> {
  const [input, lake] = [join(folder, 'in'), join(folder, 'before')]
  mkdirSync(input)
  for (let file = 0; file < 7; file += 1) {
    const later = BigInt(Math.floor(file / 3)) * MONTH_US
    const row = {
      start_period: oneDay.start_period + later,
      end_period: oneDay.end_period + later,
      reward_type: 'operational_reward',
      amount: 10n ** BigInt(file),
    }
    craftArtifact(input, 'iot_reward_share', 1738110600000 + file, [row])
  }
  await ingestInto(lake, [input], { commitRows: 1 })
  return lake
}

/** How many files the table has, and the sum over all of them. */
async function held(lake: string) {
  const table = (await new Lake(lake).latest()).table(iotRewardShares)
  const { amount } = table.statistics.sums({ from: 0n, to: 2n ** 62n }, ['amount'])
  return { files: table.files.length, amount }
}

it('a compaction is atomic when its process or disk fails, and what it leaves is removed later', async () => {
  const folder = await temporaryFolder()
  const before = await lakeOfSeven(folder)
  const seen = new Set<number>()
  const calls = await crashAlong(1, async (at) => {
    const lake = join(folder, `lake-${at}`)
    cpSync(before, lake, { recursive: true })
    const goesOn = await crashing(() => compact({ lake, openWriter: openTestWriter }), at)
    endProcess(lake)
    const { files, amount } = await held(lake)
    expect(amount).toBe(1_111_111n)
    seen.add(files)
    await compact({ lake, openWriter: openTestWriter })
    expect(await held(lake)).toEqual({ files: 3, amount: 1_111_111n })
    expectWholeLog(lake)
    expect(leftoversOf(lake)).toEqual([])
    return goesOn
  })
  expect([...seen].sort()).toEqual([3, 7])
  expect(calls).toBeGreaterThan(40)
})

it('a vacuum that fails removes no file of a kept version, and the next one removes the rest', async () => {
  const folder = await temporaryFolder()
  const before = await lakeOfSeven(folder)
  await compact({ lake: before, openWriter: openTestWriter })
  const table = (lake: string) => join(lake, 'iot_reward_shares')
  const live = addedFiles(table(before)).map(({ path }) => path)
  const seen = new Set<number>()
  await crashAlong(1, async (at) => {
    const lake = join(folder, `lake-${at}`)
    cpSync(before, lake, { recursive: true })
    const request = { lake, keepHours: 0, isDryRun: false }
    const goesOn = await crashing(() => vacuum(request), at)
    const left = () => filesBelow(table(lake)).filter((path) => /(^|\/)part-[^/]+\.parquet$/.test(path))
    seen.add(left().length)
    expect(left()).toEqual(expect.arrayContaining(live))
    endProcess(lake)
    await vacuum(request)
    expect(left()).toEqual([...live].sort())
    expect(leftoversOf(lake)).toEqual([])
    return goesOn
  })
  expect([...seen].sort()).toEqual([3, 4, 5, 6, 7, 8, 9])
})
