import fs from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { takeBackup } from '../../../src/operate/backup/backup.ts'
import { restoreBackup } from '../../../src/operate/backup/restore.ts'
import { iotReward, makeLake } from '../../support/lakes/make-lake.ts'
import { replaceBuiltin } from '../../support/replace-builtin.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let closed = 0
let lake = ''
let to = ''
let isFull = false
let isClosed = false

/** A file system whose server has gone says so when a file is closed. */
replaceBuiltin(fs, (real) => ({
  open: (async (...args: Parameters<typeof real.open>) => {
    const handle = await real.open(...args)
    if (lake === '' || !String(args[0]).startsWith(lake) || !String(args[0]).endsWith('.parquet'))
      return handle
    const close = handle.close.bind(handle)
    handle.close = async () => {
      closed += 1
      await close()
      throw Object.assign(new Error('EIO: i/o error, close'), { code: 'EIO', syscall: 'close' })
    }
    return handle
  }) as typeof real.open,
  readFile: (async (...args: Parameters<typeof real.readFile>) => {
    if (isClosed && String(args[0]).endsWith('_backup.json'))
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', path: args[0] })
    return await real.readFile(...args)
  }) as typeof real.readFile,
  readdir: (async (...args: Parameters<typeof real.readdir>) => {
    if (isFull && args[0] === to)
      throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE', path: to })
    return await real.readdir(...args)
  }) as typeof real.readdir,
}))

beforeEach(async () => {
  isFull = false
  isClosed = false
  lake = ''
  const made = await makeLake({
    'iot/iot_reward_share.1.gz': [iotReward('2025-01-11', 1, { beacon_amount: 1n })],
  })
  lake = made.folder
  to = join(await temporaryFolder(), 'backups')
})

it('a backup whose source file fails to close rejects with a sentence', async () => {
  await expect(takeBackup({ lake, to })).rejects.toThrow(
    /^The backup to .* is not complete: the disk reports an input or output error\. .*run it again/,
  )
  expect(closed).toBeGreaterThan(0)
})

it('a backup to a folder that cannot be listed fails with lake_unwritable and the reason', async () => {
  isFull = true
  await expect(takeBackup({ lake, to })).rejects.toMatchObject({
    code: 'lake_unwritable',
    message: `${to} cannot be looked at: too many files are open; give access, or name another folder.`,
  })
})

it('a restore from a backup that cannot be read fails with lake_unwritable and the reason', async () => {
  const from = lake
  lake = ''
  const { folder } = await takeBackup({ lake: from, to })
  isClosed = true
  await expect(restoreBackup({ from: folder, lake: `${to}-restored` })).rejects.toMatchObject({
    code: 'lake_unwritable',
    message: `${folder}/_backup.json cannot be looked at: permission is denied; give access, or name another folder.`,
  })
})
