import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addKey, readKeys } from '../../../src/keys/key-file.ts'
import { Lake, openLake } from '../../../src/lake/snapshot/lake.ts'
import { takeBackup } from '../../../src/operate/backup/backup.ts'
import { type RestoreRequest, restoreBackup } from '../../../src/operate/backup/restore.ts'
import { contentOf } from '../../support/lakes/lake-content.ts'
import { filesBelow } from '../../support/lakes/leftovers.ts'
import { iotReward, makeLake, mobileReward } from '../../support/lakes/make-lake.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const iot = { 'iot/iot_reward_share.1.gz': [iotReward('2025-01-11', 1, { beacon_amount: 7n })] }
const mobile = {
  'mobile/mobile_reward_share.1.gz': [mobileReward('2025-01-11', 2, { dc_transfer_reward: 9n })],
}

/** Two backups: of a lake with one table, and of the same with two. */
let kept = ''
let names: readonly string[] = []
let snapshots: readonly string[] = []
let from = ''
let home = ''
let lake = ''

beforeAll(async () => {
  const made = await makeLake(iot)
  kept = join(await temporaryFolder(), 'backups')
  const keyFile = join(made.folder, '_keys', 'keys.ndjson')
  mkdirSync(dirname(keyFile))
  const terms = { features: [], ratePerMinute: null, quotaPer30Days: null, lookbackDays: null }
  await addKey(keyFile, { name: 'own', ...terms }, new Date())
  const first = await takeBackup({ lake: made.folder, to: kept })
  await made.add(mobile)
  const second = await takeBackup({ lake: made.folder, to: kept, keyFile })
  names = [first.name, second.name]
  snapshots = [first.snapshot, second.snapshot]
})

beforeEach(async () => {
  home = await temporaryFolder()
  from = join(home, 'backups')
  cpSync(kept, from, { recursive: true })
  lake = join(home, 'new', 'lake')
})

const restore = (more: Partial<RestoreRequest> = {}) => restoreBackup({ from, lake, ...more })
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'was accepted',
    (error) => String(error.message).replaceAll(lake, 'LAKE').replaceAll(from, 'FROM'),
  )
const snapshotOf = async (folder: string) => (await new Lake(folder).latest()).id
const tablesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('_'))
    .sort()
const flip = (path: string) => {
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(50) ^ 4, 50)
  writeFileSync(path, bytes)
}

describe('a restore', () => {
  it('copies the newest backup, or the named one, into a missing or empty folder', async () => {
    expect(await restore()).toMatchObject({ name: names[1], snapshot: snapshots[1] })
    expect(await snapshotOf(lake)).toBe(snapshots[1])
    expect(tablesIn(lake)).toEqual(['iot_reward_shares', 'mobile_reward_shares'])
    const empty = await temporaryFolder()
    expect(await restore({ from: join(from, names[0] as string), lake: empty })).toMatchObject({
      name: names[0],
    })
    expect(await snapshotOf(empty)).toBe(snapshots[0])
    expect(readdirSync(empty).sort()).toEqual(['_keys_needed', 'iot_reward_shares'])
  })

  it('refuses a folder that has data or foreign files, and does not change it', async () => {
    const made = await makeLake(iot)
    const before = contentOf(made.folder)
    const said = await refusal(restore({ lake: made.folder }))
    expect(said).toMatch(/is a lake with data, such as iot_reward_shares; use another folder, or --replace/)
    expect(contentOf(made.folder)).toEqual(before)
    mkdirSync(lake, { recursive: true })
    writeFileSync(join(lake, 'notes.txt'), 'mine')
    expect(await refusal(restore({ replace: true }))).toBe(
      'LAKE has other things, such as notes.txt; use an empty folder or a lake.',
    )
    expect(readdirSync(lake)).toEqual(['notes.txt'])
  })

  it('with replace=true installs its tables and moves the tables of the lake to _replaced-1', async () => {
    await restore()
    const old = contentOf(join(lake, 'mobile_reward_shares'))
    const { replaced } = await restore({ from: join(from, names[0] as string), replace: true })
    expect(await snapshotOf(lake)).toBe(snapshots[0])
    expect(tablesIn(lake)).toEqual(['iot_reward_shares'])
    expect(tablesIn(replaced as string)).toEqual(['iot_reward_shares', 'mobile_reward_shares'])
    expect(contentOf(join(replaced as string, 'mobile_reward_shares'))).toEqual(old)
    expect((await restore({ replace: true })).replaced).toBe(join(lake, '_replaced-2'))
  })

  it('resumes an interrupted copy, and the lake is readable until then', async () => {
    await restore({ from: join(from, names[0] as string) })
    const onProgress = () => {
      throw new Error('killed')
    }
    await expect(restore({ replace: true, onProgress })).rejects.toThrow('killed')
    expect((await (await openLake(lake)).latest()).id).toBe(snapshots[0])
    expect(filesBelow(join(lake, '_restoring'))).toHaveLength(2)
    await restore({ replace: true })
    expect(await snapshotOf(lake)).toBe(snapshots[1])
    expect(readdirSync(lake).filter((name) => /^_resto/.test(name))).toEqual([])
  })

  it('interrupted between two tables closes the lake until the same restore finishes it', async () => {
    await restore()
    mkdirSync(join(lake, '_restored'))
    cpSync(join(from, names[1] as string, '_backup.json'), join(lake, '_restored', '_backup.json'))
    renameSync(join(lake, 'mobile_reward_shares'), join(lake, '_restored', 'mobile_reward_shares'))
    await expect(openLake(lake)).rejects.toThrow(
      `A restore to ${lake} is not complete; run the same ledgerlake restore again.`,
    )
    expect(await refusal(restore({ from: join(from, names[0] as string), replace: true }))).toBe(
      `A restore of ${names[1]} to LAKE is not complete; finish it with --from naming that backup.`,
    )
    expect((await restore()).replaced).toBeUndefined()
    expect(await snapshotOf(lake)).toBe(snapshots[1])
    expect((await openLake(lake)).folder).toBe(lake)
  })

  it('refuses a backup with a changed data file, log or _backup.json', async () => {
    const backup = join(from, names[1] as string)
    const [path = ''] = filesBelow(backup).filter((file) => file.endsWith('.parquet'))
    flip(join(backup, path))
    expect(await refusal(restore())).toContain(
      `FROM/${names[1]}/${path} does not have the bytes that it was written with`,
    )
    expect(tablesIn(lake)).toEqual([])
    flip(join(backup, path))
    const note = join(backup, '_backup.json')
    const other = readFileSync(note, 'utf8').replace(/"log": "\w/, '"log": "g')
    writeFileSync(note, other)
    expect(await refusal(restore())).toBe(
      `The log of iot_reward_shares in FROM/${names[1]} is not as it was when the backup was taken; use another backup.`,
    )
    writeFileSync(note, other.slice(0, 100))
    expect(await refusal(restore())).toBe(
      `FROM/${names[1]}/_backup.json is damaged, or of a newer ledgerlake; use another backup.`,
    )
    expect(tablesIn(lake)).toEqual([])
  })

  it('includes the key file only if requested, readable by the owner alone, and never overwrites one', async () => {
    const keyFile = join(lake, '_keys', 'keys.ndjson')
    await restore({ keyFile })
    expect(await readKeys(keyFile)).toMatchObject([{ name: 'own' }])
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect(await refusal(restore({ keyFile, replace: true }))).toBe(
      'There is a key file at LAKE/_keys/keys.ndjson already; leave --with-keys out, or move it away.',
    )
    // One that ended before its last step is finished by the same command.
    mkdirSync(join(lake, '_restored'))
    cpSync(join(from, names[1] as string, '_backup.json'), join(lake, '_restored', '_backup.json'))
    await restore({ keyFile })
    expect(await readKeys(keyFile)).toMatchObject([{ name: 'own' }])
    expect(existsSync(join(lake, '_restored'))).toBe(false)
    const without = { from: join(from, names[0] as string), lake: join(home, 'other') }
    expect(await refusal(restore({ ...without, keyFile: join(home, 'keys.ndjson') }))).toBe(
      `The backup ${names[0]} has no keys; it was taken without --with-keys.`,
    )
    expect(existsSync(without.lake)).toBe(false)
  })

  it('is refused without a complete backup, and for a lake inside the backup', async () => {
    expect(await refusal(restore({ from: join(home, 'none') }))).toContain('There is no backup at')
    expect(await refusal(restore({ lake: join(from, 'lake') }))).toBe(
      'The lake LAKE lies inside the backup FROM; name a folder apart from it.'.replace('LAKE', 'FROM/lake'),
    )
    const unfinished = join(home, 'unfinished')
    mkdirSync(join(unfinished, '_unfinished'), { recursive: true })
    expect(await refusal(restore({ from: unfinished }))).toBe(
      `${unfinished} has no complete backup; take one with: ledgerlake backup --to ${unfinished}`,
    )
  })
})
