import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { followLake } from '../../../src/doors/snapshots/served-snapshots.ts'
import { openReader } from '../../../src/lake/runs/readers.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { vacuum } from '../../../src/lake/vacuum/vacuum.ts'
import { compact } from '../../../src/write/compact/compact.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { craftArtifact, oneDay } from '../../support/messages/craft-artifacts.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { some } from '../../support/some.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const filesOf = (at: Snapshot) => some(at.table(iotRewardShares).files.map(({ path }) => path))

it('files of a snapshot that is being prepared are kept by a vacuum', async () => {
  const home = await temporaryFolder()
  const lake = join(home, 'lake')
  let given = 0
  async function ingestAnother(): Promise<void> {
    given += 1
    const input = join(home, `in-${given}`)
    mkdirSync(input)
    const share = { ...oneDay, reward_type: 'operational_reward', amount: 5n } as const
    craftArtifact(input, 'iot_reward_share', 1_738_110_600_000 + given, [share])
    await ingestInto(lake, [input])
  }
  await ingestAnother()
  const reader = await openReader(lake)
  cleanUp(() => reader.close())
  const prepared: boolean[] = []
  const onError = (error: unknown) => expect.unreachable(String(error))
  async function prepare(at: Snapshot): Promise<void> {
    if (prepared.length === 1) {
      // The files of this snapshot are merged into another one's.
      await compact({ lake, months: ['2025-01'], openWriter: openTestWriter })
      await vacuum({ lake, keepHours: 0, isDryRun: false })
    }
    prepared.push(filesOf(at).every((path) => existsSync(path)))
  }
  const served = await followLake(new Lake(lake), 5, prepare, onError, { reader, longestMs: 60_000 })
  cleanUp(() => served.close())
  await ingestAnother()
  await expect.poll(() => prepared.length).toBe(3)
  expect(prepared).toEqual([true, true, true])
})
