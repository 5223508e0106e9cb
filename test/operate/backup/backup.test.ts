import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { idOfKey } from '../../../src/keys/api-key.ts'
import { openCounterOf } from '../../../src/keys/counting/key-counter.ts'
import { readUsed } from '../../../src/keys/counting/read-used.ts'
import { addKey } from '../../../src/keys/key-file.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { vacuum } from '../../../src/lake/vacuum/vacuum.ts'
import { type BackupRequest, takeBackup } from '../../../src/operate/backup/backup.ts'
import { copyLake } from '../../../src/operate/backup/copy-lake.ts'
import { openKeys } from '../../../src/services/keys.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { compact } from '../../../src/write/compact/compact.ts'
import { everyAnswer } from '../../support/every-answer.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { contentOf } from '../../support/lakes/lake-content.ts'
import { filesBelow } from '../../support/lakes/leftovers.ts'
import {
  iotReward,
  type MadeLake,
  makeLake,
  makeOtherLake,
  writeOracleFiles,
} from '../../support/lakes/make-lake.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const files = (day: number) => ({
  [`iot/iot_reward_share.${day}.gz`]: [iotReward(`2025-01-1${day}`, day, { beacon_amount: BigInt(day) })],
})

let made: MadeLake
let lake = ''
let to = ''

/** A lake of two days, each in a file of its own; every test has a copy. */
beforeAll(async () => {
  made = await makeLake(files(1))
  await made.add(files(2))
})

beforeEach(async () => {
  const home = await temporaryFolder()
  lake = join(home, 'source', 'lake')
  cpSync(made.folder, lake, { recursive: true })
  to = join(home, 'backups')
})

async function add(day: number): Promise<void> {
  const input = await temporaryFolder()
  await writeOracleFiles(input, files(day))
  expect(await ingestInto(lake, [input])).toMatchObject({ stored: 1, failed: [] })
}

const backUp = (more: Partial<BackupRequest> = {}) => takeBackup({ lake, to, ...more })
const dataFiles = (folder: string) =>
  filesBelow(folder).filter((path) => /^[a-z][^/]*\/([^_].*\/)?part-.*\.parquet$/.test(path))
const inodeOf = (path: string) => statSync(path).ino
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'was accepted',
    (error) => String(error.message).replaceAll(lake, 'LAKE').replaceAll(to, 'TO'),
  )
const mergeAndVacuum = async () => {
  await compact({ lake, months: ['2025-01'], openWriter: openTestWriter })
  expect(await vacuum({ lake, keepHours: 0, isDryRun: false })).toMatchObject([{ paths: { length: 2 } }])
}

describe('a backup', () => {
  it('fails if a log entry changes between check and copy', async () => {
    const entry = join(lake, 'iot_reward_shares/_delta_log/00000000000000000001.json')
    const check = async () => writeFileSync(entry, readFileSync(entry, 'utf8').slice(0, -20))
    const scratch = await temporaryFolder()
    mkdirSync(to)
    const copying = copyLake({ from: lake, to, earlier: undefined, scratch, check })
    expect(await refusal(copying)).toBe(
      'LAKE/iot_reward_shares/_delta_log/00000000000000000001.json does not read as it did a moment ago; ' +
        'check the disk, or restore it from a copy.',
    )
  })

  it('copies every table with its log, but no index and no state folder', async () => {
    mkdirSync(join(lake, '_state'))
    writeFileSync(join(lake, '_state', 'index'), 'derived')
    const { folder, name, files, tables } = await backUp({ now: new Date('2026-01-02T03:04:05.678Z') })
    expect(name).toBe('0001-2026-01-02T03-04-05Z')
    expect(files).toMatchObject({ copied: { files: 2 }, kept: { files: 0 }, linked: { files: 0 } })
    expect(tables).toMatchObject([{ name: 'iot_reward_shares', version: 1, files: 2 }])
    const { '_backup.json': _, ...copied } = contentOf(folder)
    expect(JSON.parse(readFileSync(join(folder, '_backup.json'), 'utf8'))).toMatchObject({
      ...{ backup: 1, name, takenAt: '2026-01-02T03:04:05.678Z', hasKeys: false },
      tables: [{ name: 'iot_reward_shares', version: 1 }],
    })
    const expected = Object.entries(contentOf(lake)).filter(([path]) => path.startsWith('iot_reward_shares/'))
    expect(expected).toHaveLength(6)
    expect(copied).toEqual(Object.fromEntries(expected))
    expect(readdirSync(to).sort()).toEqual([name, '_backup.lock'].sort())
  })

  it('answers every request byte for byte as its source does', async () => {
    const [source, copy] = [await buildTestServer(lake), await buildTestServer((await backUp()).folder)]
    const answers = await everyAnswer(source)
    expect(Object.keys(answers).length).toBeGreaterThan(15)
    expect(await everyAnswer(copy)).toEqual(answers)
    const headers = async ({ get }: TestServer) =>
      (await get('/l2/iot-reward-shares?from=2025-01-01&to=2026-01-01')).headers
    const { etag, 'ledgerlake-snapshot': snapshot } = await headers(source)
    expect(await headers(copy)).toMatchObject({ etag, 'ledgerlake-snapshot': snapshot })
    expect([etag, snapshot]).not.toContain(undefined)
  })

  it('copies only new files, links the rest to the previous backup, and does not change that one', async () => {
    const first = await backUp()
    const before = contentOf(first.folder)
    await add(3)
    const second = await backUp()
    expect(second.files).toMatchObject({ copied: { files: 1 }, kept: { files: 2 } })
    expect(contentOf(first.folder)).toEqual(before)
    const [shared] = dataFiles(first.folder)
    expect(inodeOf(join(second.folder, shared as string))).toBe(inodeOf(join(first.folder, shared as string)))
    rmSync(first.folder, { recursive: true })
    expect((await new Lake(second.folder).latest()).id).toBe((await new Lake(lake).latest()).id)
    expect(dataFiles(second.folder)).toHaveLength(3)
  })

  it('appears in the folder only when complete, and resumes an interrupted one', async () => {
    const first = await backUp()
    const before = contentOf(first.folder)
    await add(3)
    await add(4)
    const stop = new Error('killed')
    let copied = 0
    const onProgress = () => {
      copied += 1
      if (copied === 3) throw stop
    }
    await expect(backUp({ onProgress })).rejects.toBe(stop)
    expect(contentOf(first.folder)).toEqual(before)
    expect(readdirSync(to).filter((name) => /^\d/.test(name))).toEqual([first.name])
    const unfinished = dataFiles(join(to, '_unfinished'))
    expect(unfinished).toHaveLength(3)
    const inodes = unfinished.map((path) => inodeOf(join(to, '_unfinished', path)))

    const second = await backUp()
    expect(second.files).toMatchObject({ copied: { files: 1 }, kept: { files: 3 } })
    expect(unfinished.map((path) => inodeOf(join(second.folder, path)))).toEqual(inodes)
    expect(dataFiles(second.folder)).toEqual(dataFiles(lake))
  })

  it('drops files of an interrupted backup that the snapshot does not name', async () => {
    await backUp()
    await expect(
      backUp({
        onProgress: () => {
          throw new Error('killed')
        },
      }),
    ).rejects.toThrow('killed')
    cpSync(
      join(to, '_unfinished', dataFiles(join(to, '_unfinished'))[0] as string),
      join(to, '_unfinished', 'iot_reward_shares', 'part-other.parquet'),
    )
    mkdirSync(join(to, '_unfinished', 'hotspots'))
    const { folder } = await backUp()
    expect(readdirSync(folder).sort()).toEqual(['_backup.json', 'iot_reward_shares'])
    expect(dataFiles(folder)).toHaveLength(2)
  })

  it('restarts at a newer snapshot if a vacuum removes a file that was not copied yet', async () => {
    const scratch = await temporaryFolder()
    const target = await temporaryFolder()
    let looks = 0
    const { restarts, tables } = await copyLake({
      ...{ from: lake, to: target, earlier: undefined, scratch },
      async check() {
        looks += 1
        if (looks === 1) await mergeAndVacuum()
      },
    })
    expect([restarts, looks]).toEqual([1, 2])
    expect(tables).toMatchObject([{ version: 2 }])
    expect((await new Lake(target).latest()).id).toBe((await new Lake(lake).latest()).id)
    expect(dataFiles(target)).toEqual(dataFiles(lake))
    expect(dataFiles(target)).toHaveLength(1)
  })

  it('fails on a missing, damaged or linked file of the newest snapshot, and names it', async () => {
    const [first = '', second = ''] = dataFiles(lake)
    rmSync(join(lake, first))
    expect(await refusal(backUp())).toBe(
      `LAKE/${first} is missing; put the file of an older copy in its place.`,
    )
    rmSync(join(lake, second))
    symlinkSync('/dev/null', join(lake, second))
    cpSync(join(made.input, 'iot/iot_reward_share.1.gz'), join(lake, first))
    expect(await refusal(backUp())).toBe(
      `LAKE/${first} does not have the bytes that it was written with; put the file of an older copy in its place.`,
    )
    rmSync(join(lake, first))
    symlinkSync('/dev/null', join(lake, first))
    expect(await refusal(backUp())).toBe(
      `LAKE/${first} is a symbolic link; put the file itself in its place.`,
    )
    expect(readdirSync(to).filter((name) => /^\d/.test(name))).toEqual([])
  })

  it('with verify=true finds a damaged file of the previous backup and copies it again', async () => {
    const { folder } = await backUp()
    const [path = ''] = dataFiles(folder)
    const bytes = readFileSync(join(folder, path))
    bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100)
    writeFileSync(join(folder, path), bytes)
    const second = await backUp({ verify: true })
    expect(second.files).toMatchObject({ copied: { files: 1 }, kept: { files: 1 } })
    expect(second.damaged).toEqual([join(folder, path)])
    expect(readFileSync(join(second.folder, path))).toEqual(readFileSync(join(lake, path)))
  })

  it('with link=true links the files of the lake, and they survive a vacuum', async () => {
    const [path = ''] = dataFiles(lake)
    const { folder, files } = await backUp({ link: true })
    expect(files).toMatchObject({ linked: { files: 2 }, copied: { files: 0 } })
    expect(inodeOf(join(folder, path))).toBe(inodeOf(join(lake, path)))
    await mergeAndVacuum()
    expect(existsSync(join(lake, path))).toBe(false)
    expect((await new Lake(folder).latest()).tables[0]?.rows).toBe(2)
    expect(readFileSync(join(folder, path)).length).toBeGreaterThan(100)
  })

  it('with link=true refuses a damaged file on every attempt', async () => {
    const [path = ''] = dataFiles(lake)
    const bytes = readFileSync(join(lake, path))
    bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100)
    writeFileSync(join(lake, path), bytes)
    for (const _ of [1, 2])
      expect(await refusal(backUp({ link: true }))).toContain(`LAKE/${path} does not have the bytes`)
    expect(existsSync(join(to, '_unfinished', path))).toBe(false)
  })

  it('has no keys of an interrupted backup, and names a damaged key file', async () => {
    const keyFile = join(lake, 'bad.ndjson')
    writeFileSync(keyFile, 'x\n')
    expect(await refusal(backUp({ keyFile }))).toContain('Line 1 of LAKE/bad.ndjson')
    mkdirSync(join(to, '_unfinished', '_keys'), { recursive: true })
    writeFileSync(join(to, '_unfinished', '_keys', 'keys.ndjson'), '')
    expect(existsSync(join((await backUp()).folder, '_keys'))).toBe(false)
  })

  it('with keep=2 removes all but the two newest backups', async () => {
    const names: string[] = []
    for (let number = 0; number < 4; number += 1) names.push((await backUp()).name)
    const last = await backUp({ keep: 2 })
    expect(last.removed).toEqual(names.slice(0, 3))
    expect(readdirSync(to).filter((name) => /^\d/.test(name))).toEqual([names[3], last.name])
    expect(dataFiles(last.folder)).toHaveLength(2)
  })

  it('includes the key file only if requested, readable by the owner alone, and without it the copy demands one', async () => {
    const keyFile = join(lake, '_keys', 'keys.ndjson')
    const terms = { features: [], ratePerMinute: null, quotaPer30Days: null, lookbackDays: null }
    mkdirSync(dirname(keyFile))
    const key = await addKey(keyFile, { name: 'own', ...terms }, new Date())
    writeFileSync(join(lake, '_keys', 'keys.usage'), '')
    const counter = openCounterOf(keyFile, (error) => expect.fail(`${error}`))
    counter.take({ id: idOfKey(key) ?? '', quotaPer30Days: 9, ratePerMinute: null }, Date.now())
    const without = await backUp()
    expect(readdirSync(without.folder)).toContain('_keys_needed')
    expect(existsSync(join(without.folder, '_keys'))).toBe(false)
    const open = (folder: string) =>
      openKeys(readSettings({}, { lake: folder }), (error) => expect.fail(`${error}`))
    await expect(open(without.folder)).rejects.toThrow('had keys, and its key file')

    const { folder } = await backUp({ keyFile })
    expect(statSync(join(folder, '_keys')).mode & 0o777).toBe(0o700)
    for (const name of ['keys.ndjson', 'keys.usage'])
      expect(statSync(join(folder, '_keys', name)).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, '_keys', 'keys.usage.log')).mode & 0o777).toBe(0o700)
    const usageOf = readUsed(join(folder, '_keys', 'keys.ndjson'), (error) => expect.fail(`${error}`))
    expect(usageOf(idOfKey(key) ?? '')?.used).toBe(1)
    counter.close()
    const { keys, close } = await open(folder)
    expect(keys.find(key)).toMatchObject({ name: 'own' })
    await close()
  })
})

describe('the commands backup and restore', () => {
  it('print the backup, the snapshot and the verified files', async () => {
    const home = await temporaryFolder()
    const first = await runMain(['backup', '--lake', lake, '--to', to])
    expect([first.code, first.stderr]).toEqual([0, ''])
    const [name = ''] = readdirSync(to).filter((own) => /^0001-/.test(own))
    const { id } = await new Lake(lake).latest()
    const bytes = dataFiles(lake).reduce((sum, path) => sum + statSync(join(lake, path)).size, 0)
    expect(first.stdout.split('\n')).toEqual([
      `Backup ${join(to, name)} of ${lake}`,
      `snapshot ${id}`,
      `copied and verified: 2 files of ${bytes} bytes; from older backups: 0 files of 0 bytes`,
      '',
    ])
    const linked = await runMain(['backup', '--lake', lake, '--to', `${to}-2`, '--link'])
    expect(linked.stdout).toContain('Linked files protect from deletion alone')
    const restored = await runMain(['restore', '--from', to, '--lake', 'back'], { cwd: home })
    expect(restored.stdout.split('\n')).toEqual([
      `Restored ${name} to back, 1 table, all files verified`,
      `snapshot ${id}`,
      '',
    ])
  })
})

describe('an impossible backup', () => {
  it('is refused if its folder is the lake, lies in the lake, or contains it', async () => {
    const before = contentOf(lake)
    const above = dirname(lake)
    expect(await refusal(backUp({ to: lake }))).toBe(
      'The folder of backups LAKE is the same folder as the lake LAKE; name a folder apart from it.',
    )
    expect(await refusal(backUp({ to: join(lake, 'b') }))).toBe(
      'The folder of backups LAKE/b lies inside the lake LAKE; name a folder apart from it.',
    )
    expect(await refusal(backUp({ to: above }))).toBe(
      `The lake LAKE lies inside the folder of backups ${above}; name a folder apart from it.`,
    )
    expect(contentOf(lake)).toEqual(before)
  })

  it('is refused if its folder is a circle of symbolic links', async () => {
    symlinkSync(to, to)
    expect(await refusal(backUp({ to }))).toBe(
      'TO cannot be looked at: symbolic links lead in a circle; give access, or name another folder.',
    )
  })

  it('is refused if a symbolic link of its path leads into the lake', async () => {
    mkdirSync(to)
    symlinkSync(lake, join(to, 'link'))
    expect(await refusal(backUp({ to: join(to, 'link', 'below') }))).toBe(
      'The folder of backups TO/link/below lies inside the lake LAKE; name a folder apart from it.',
    )
    expect(existsSync(join(lake, 'below'))).toBe(false)
  })

  it('is refused with a reason, and leaves the files in its folder', async () => {
    mkdirSync(to)
    writeFileSync(join(to, 'notes.txt'), 'mine')
    expect(await refusal(backUp())).toBe(
      'TO has other things, such as notes.txt; use an empty folder or one of backups.',
    )
    expect(await refusal(backUp({ to: join(to, 'notes.txt') }))).toBe('TO/notes.txt is a file; use a folder.')
    rmSync(join(to, 'notes.txt'))
    await backUp()
    const other = await makeOtherLake(files(1))
    expect(await refusal(takeBackup({ lake: other.folder, to }))).toBe(
      'TO has backups of another lake; use a folder of its own for each lake.',
    )
    const empty = await temporaryFolder()
    expect(await refusal(takeBackup({ lake: empty, to: join(to, '..', 'other') }))).toContain(
      'is empty; there is nothing to back up.',
    )
    expect(await refusal(backUp({ keyFile: join(lake, 'none') }))).toBe(
      'There is no key file at LAKE/none; name it by --keys, or leave --with-keys out.',
    )
    expect(readdirSync(to).filter((name) => /^\d/.test(name))).toHaveLength(1)
  })

  it('is refused while another backup runs', async () => {
    const said: string[] = []
    let second: Promise<string> | undefined
    await backUp({
      onProgress: () => {
        second ??= refusal(backUp())
      },
    })
    said.push((await second) ?? '')
    expect(said[0]).toMatch(
      /^Another command is changing TO\/_backup; wait for it, or remove TO\/_backup\.lock/,
    )
  })
})
