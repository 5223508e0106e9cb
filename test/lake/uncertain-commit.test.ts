import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { artifactKinds } from '../../src/write/ingest/files/artifact.ts'
import { retryRejects } from '../../src/write/ingest/retry.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { olderBuild } from '../support/lakes/older-build.ts'
import { frameFile, operational } from '../support/messages/oracle-messages.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { readExactRows } from '../support/tables/delta-table.ts'
import { readTable } from '../support/tables/read-table.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** What happens after a log entry was linked, and before its writer hears of it. */
const afterLink = vi.hoisted(() => ({ run: (_path: string): void => {} }))

vi.mock('../../src/lake/disk/disk.ts', async (importOriginal) => {
  const disk = await importOriginal<typeof import('../../src/lake/disk/disk.ts')>()
  return {
    ...disk,
    createIfAbsent: async (...args: Parameters<typeof disk.createIfAbsent>) => {
      const isDone = await disk.createIfAbsent(...args)
      afterLink.run(args[0])
      return isDone
    },
  }
})

it.each([false, true])(
  'a commit that fails after its entry was linked keeps its files (log unreadable then: %s)',
  async (isUnreadable) => {
    const folder = await temporaryFolder()
    const [file, lake] = [join(folder, 'iot_reward_share.1738371600001.gz'), join(folder, 'lake')]
    writeFileSync(file, frameFile([operational(7)]))
    const next = join(lake, iotRewardShares.name, '_delta_log', '00000000000000000001.json')
    afterLink.run = () => {
      if (isUnreadable) writeFileSync(next, 'garbage')
      throw new Error('EIO: the folder cannot be synced')
    }
    await expect(ingestInto(lake, [file])).rejects.toThrow('EIO')
    afterLink.run = () => {}
    await rm(next, { force: true })

    expect((await new Lake(lake).latest()).table(iotRewardShares).rows).toBe(1)
    expect((await readTable(lake, iotRewardShares.name)).map((row) => row.amount)).toEqual([7n])
    expect(await ingestInto(lake, [file])).toMatchObject({ stored: 0, skipped: 1 })
  },
)

it('a retry that fails after its entry was linked has stored the messages once', async () => {
  const folder = await temporaryFolder()
  const [file, lake] = [join(folder, 'iot_reward_share.1738371600001.gz'), join(folder, 'lake')]
  writeFileSync(file, frameFile([operational(7), operational(8)]))
  await ingestInto(lake, [file], { openReader: olderBuild((row) => row.amount === 8n) })
  const retry = () => retryRejects({ lake, kinds: artifactKinds, openWriter: openTestWriter })
  afterLink.run = () => {
    throw new Error('EIO: the folder cannot be synced')
  }
  await expect(retry()).rejects.toThrow('EIO')
  afterLink.run = () => {}
  expect(await retry()).toMatchObject({ rejects: 0, taken: 0 })
  const table = (await new Lake(lake).latest()).table(iotRewardShares)
  expect(table.files).toHaveLength(1)
  expect((await readExactRows(table.files[0]?.path ?? '')).map((row) => row.amount)).toEqual([7n, 8n])
})
