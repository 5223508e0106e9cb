import promises from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { hashFile } from '../../../src/lake/disk/disk.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { vacuum } from '../../../src/lake/vacuum/vacuum.ts'
import { takeBackup } from '../../../src/operate/backup/backup.ts'
import { restoreBackup } from '../../../src/operate/backup/restore.ts'
import { compact } from '../../../src/write/compact/compact.ts'
import { leftoversOf } from '../../support/lakes/leftovers.ts'
import { iotReward, makeLake } from '../../support/lakes/make-lake.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { replaceBuiltin } from '../../support/replace-builtin.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

type Call = 'rm' | 'rename' | 'mkdir' | 'readdir'

/** What happens before a call, which waits for it and fails as it does. */
let before: Partial<Record<Call, (path: string) => Promise<void>>> = {}

/** Does something before the first call with a path that ends so. */
function once(path: RegExp, act: () => Promise<unknown>) {
  let isDone = false
  return async (given: string) => {
    if (isDone || !path.test(given)) return
    isDone = true
    await act()
  }
}

replaceBuiltin(promises, (real) => ({
  async rm(...given) {
    await before.rm?.(String(given[0]))
    return await real.rm(...given)
  },
  async rename(...given) {
    await before.rename?.(String(given[0]))
    return await real.rename(...given)
  },
  readdir: (async (...given: Parameters<typeof real.readdir>) => {
    await before.readdir?.(String(given[0]))
    return await real.readdir(...given)
  }) as typeof real.readdir,
  mkdir: (async (...given: Parameters<typeof real.mkdir>) => {
    await before.mkdir?.(String(given[0]))
    return await real.mkdir(...given)
  }) as typeof real.mkdir,
}))

/** Fails each call with a path that has this. */
const refusing = (code: string, syscall: Call, path: RegExp) => async (given: string) => {
  if (path.test(given)) throw Object.assign(new Error(`${code}: ${syscall}`), { code, syscall })
}

function promised() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const DATA_FILE = /part-[^/]+\.parquet$/
let lake = ''
let to = ''

/** A lake whose two files were merged after its backup: a vacuum would remove what a restore brings back. */
beforeEach(async () => {
  before = {}
  const made = await makeLake({
    'iot/iot_reward_share.1.gz': [iotReward('2025-01-11', 1, { beacon_amount: 7n })],
  })
  await made.add({ 'iot/iot_reward_share.2.gz': [iotReward('2025-01-12', 1, { beacon_amount: 8n })] })
  lake = made.folder
  to = join(await temporaryFolder(), 'backups')
  await takeBackup({ lake, to })
  await compact({ lake, openWriter: openTestWriter, months: ['2025-01'] })
})

const clean = () => vacuum({ lake, keepHours: 0, isDryRun: false })
const restore = () => restoreBackup({ from: to, lake, replace: true })
async function wholeFiles(): Promise<number> {
  const { files } = (await new Lake(lake).latest()).table(iotRewardShares)
  for (const { path, sha256 } of files) expect(await hashFile(path)).toBe(sha256)
  return files.length
}
const others = () => leftoversOf(lake).filter((path) => !/^_replaced-|\/_facts\/|part-/.test(path))

it('a restore fails while a vacuum removes files', async () => {
  let said: unknown
  before.rm = once(DATA_FILE, async () => {
    said = await restore().catch((error) => error)
  })
  expect(await clean()).toMatchObject([{ paths: { length: 2 } }])
  expect(said).toMatchObject({
    code: 'lake_unwritable',
    message: `Another command is changing ${join(lake, '_restore')}; wait for it, or remove ${join(lake, '_restore')}.lock if none is running.`,
  })
  expect(await wholeFiles()).toBe(1)
  await restore()
  expect(await wholeFiles()).toBe(2)
  expect(others()).toEqual([])
})

it('a vacuum waits for a running restore, and removes files by the restored logs', async () => {
  let cleaned: Promise<unknown> | undefined
  const restored = promised()
  // The restore is about to move the tables aside. It goes on once the vacuum waits for it, or would remove by the log of those.
  before.rename = once(/^(?!.*_restored).*iot_reward_shares$/, () => {
    const isThere = promised()
    before.readdir = once(/_restore\.lock/, async () => isThere.resolve())
    before.rm = once(DATA_FILE, async () => {
      isThere.resolve()
      await restored.promise
    })
    cleaned = clean()
    return isThere.promise
  })
  await restore()
  restored.resolve()
  expect(await cleaned).toEqual([])
  expect(await wholeFiles()).toBe(2)
  expect(others()).toEqual([])
})

it('a vacuum runs on a full disk, after a running restore has ended', async () => {
  const isFull = refusing('ENOSPC', 'mkdir', /_restore\.lock/)
  let cleaned: Promise<unknown> | undefined
  before.rename = once(/_restored\/iot_reward_shares$/, () => {
    const isThere = promised()
    before.readdir = once(/_restore\.lock/, async () => isThere.resolve())
    before.mkdir = isFull
    cleaned = clean()
    return isThere.promise
  })
  await restore()
  expect(await cleaned).toEqual([])
  before = {}
  expect(await wholeFiles()).toBe(2)
  await compact({ lake, openWriter: openTestWriter, months: ['2025-01'] })
  before.mkdir = refusing('EACCES', 'mkdir', /_restore\.lock/)
  await expect(clean()).rejects.toMatchObject({ code: 'EACCES' })
  before.mkdir = isFull
  expect(await clean()).toMatchObject([{ paths: { length: 2 } }])
  expect(await wholeFiles()).toBe(1)
})

it('a vacuum that fails with ENOSPC while it removes files is not retried', async () => {
  const refuse = refusing('ENOSPC', 'rm', DATA_FILE)
  before.rm = once(DATA_FILE, () => refuse('part-a.parquet'))
  await expect(clean()).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(await clean()).toMatchObject([{ paths: { length: 2 } }])
})
