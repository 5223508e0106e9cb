import fs from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { takeBackup } from '../../src/backup/backup.ts'
import { iotReward, makeLake } from '../support/make-lake.ts'
import { replaceBuiltin } from '../support/replace-builtin.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let closed = 0
let lake = ''

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
}))

it('a backup whose source cannot be closed ends with a sentence, not with the process', async () => {
  const made = await makeLake({
    'iot/iot_reward_share.1.gz': [iotReward('2025-01-11', 1, { beacon_amount: 1n })],
  })
  lake = made.folder
  const to = join(await temporaryFolder(), 'backups')
  await expect(takeBackup({ lake, to })).rejects.toThrow(
    /^The backup to .* is not complete: the disk reports an input or output error\. .*run it again/,
  )
  expect(closed).toBeGreaterThan(0)
})
