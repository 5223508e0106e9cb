import { mkdirSync, writeFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { restoredFolder } from '../../../src/lake/disk/layout.ts'
import { readNewestTable } from '../../../src/lake/snapshot/snapshot.ts'
import { takeBackup } from '../../../src/operate/backup/backup.ts'
import { restoreBackup } from '../../../src/operate/backup/restore.ts'
import { amendTable } from '../../../src/write/store/amend-table.ts'
import { openStagingRun, type StagingRun } from '../../../src/write/store/staging.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { endProcess } from '../../support/crash.ts'
import { filesBelow } from '../../support/lakes/leftovers.ts'
import { iotReward, makeLake } from '../../support/lakes/make-lake.ts'
import { replaceBuiltin } from '../../support/replace-builtin.ts'
import { commitFiles, stageFile } from '../../support/tables/staged-files.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** What happens before a log entry is linked to its name, and when a folder is listed. */
let beforeEntry = async () => {}
let onList = (_path: string) => {}

replaceBuiltin(promises, (real) => ({
  async link(from, to) {
    if (/_delta_log\/\d+\.json$/.test(String(to))) await beforeEntry()
    await real.link(from, to)
  },
  readdir: (async (...given: Parameters<typeof real.readdir>) => {
    onList(String(given[0]))
    return await real.readdir(...given)
  }) as typeof real.readdir,
}))

const TABLE = iotRewardShares.name
let lake = ''
let to = ''
let run: StagingRun

/** A lake that has gone on since its backup, which has version 0 alone. */
beforeEach(async () => {
  beforeEntry = async () => {}
  onList = () => {}
  const made = await makeLake({
    'iot/iot_reward_share.1.gz': [iotReward('2025-01-11', 1, { beacon_amount: 7n })],
  })
  lake = made.folder
  to = join(await temporaryFolder(), 'backups')
  await takeBackup({ lake, to })
  await made.add({ 'iot/iot_reward_share.2.gz': [iotReward('2025-01-12', 1, { beacon_amount: 8n })] })
  run = await openStagingRun(lake)
  cleanUp(() => run.close())
})

const restore = () => restoreBackup({ from: to, lake, replace: true })
const label = () => ({ operation: 'INGEST', runId: run.id })
const entries = (folder: string) =>
  filesBelow(join(folder, TABLE, '_delta_log')).filter((name) => /^\d+\.json$/.test(name))
const conflict = {
  code: 'commit_conflict',
  message: `A restore put another table in the place of ${TABLE}, so nothing was committed to it; run the same command again once the restore is complete.`,
}

it('a commit planned on a table that a restore replaced meanwhile fails with commit_conflict and leaves no file', async () => {
  const staged = await stageFile(run.folder, 'late', ['late.gz'], '2025-01')
  const committed = amendTable(lake, iotRewardShares, label(), async () => {
    await restore()
    return { stale: [], staged: [staged] }
  })
  await expect(committed).rejects.toMatchObject({
    ...conflict,
    message: conflict.message.replace(TABLE, join(lake, TABLE)),
  })
  await run.close()
  expect(entries(lake)).toHaveLength(1)
  expect((await readNewestTable(lake, iotRewardShares)).files).toHaveLength(1)
  expect(filesBelow(join(lake, TABLE)).filter((path) => path.includes('late'))).toEqual([])
})

it('a restore waits for a commit that is writing its entry, and moves the entry aside with its table', async () => {
  const staged = await stageFile(run.folder, 'late', ['late.gz'], '2025-01')
  let restored: Promise<unknown> = Promise.resolve()
  beforeEntry = async () => {
    // It looks again only when it waits.
    const isAwaited = new Promise<void>((resolve) => {
      let looks = 0
      onList = (path) => {
        if (path === run.folder) looks += 1
        if (looks === 2) resolve()
      }
    })
    restored = restore()
    await Promise.race([isAwaited, restored])
  }
  await commitFiles(lake, iotRewardShares, [staged], label())
  await restored
  expect(entries(lake)).toHaveLength(1)
  expect(entries(join(lake, '_replaced-1'))).toHaveLength(3)
  expect((await readNewestTable(lake, iotRewardShares)).files).toHaveLength(1)
})

it('a commit fails with commit_conflict while a restore moves tables', async () => {
  const staged = await stageFile(run.folder, 'late', ['late.gz'], '2025-01')
  mkdirSync(restoredFolder(lake))
  await expect(commitFiles(lake, iotRewardShares, [staged], label())).rejects.toMatchObject({
    code: 'commit_conflict',
  })
  expect(entries(lake)).toHaveLength(2)
})

it('a restore ignores the commit of a dead process, and moves a table without a log aside', async () => {
  writeFileSync(join(run.folder, 'any.commit'), '')
  endProcess(lake)
  await promises.rm(join(lake, TABLE, '_delta_log'), { recursive: true })
  expect(await restore()).toMatchObject({ replaced: join(lake, '_replaced-1') })
  expect((await readNewestTable(lake, iotRewardShares)).files).toHaveLength(1)
})
