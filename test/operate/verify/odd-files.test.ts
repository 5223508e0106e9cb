import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { isFault } from '../../../src/operate/verify/finding.ts'
import { contentOf } from '../../support/lakes/lake-content.ts'
import { filesBelow } from '../../support/lakes/leftovers.ts'
import { soundLake, verifierOf } from '../../support/lakes/sound-lake.ts'
import { replaceBuiltin } from '../../support/replace-builtin.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { some } from '../../support/some.ts'
import { entryPath } from '../../support/tables/log-entries.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** The one folder that the disk does not list. */
let broken = ''

replaceBuiltin(promises, (real) => ({
  readdir: (async (...given: Parameters<typeof real.readdir>) => {
    if (given[0] === broken)
      throw Object.assign(new Error('EIO: i/o error, scandir'), { code: 'EIO', syscall: 'scandir' })
    return await real.readdir(...given)
  }) as typeof real.readdir,
}))

let sound = ''
let lake = ''

beforeAll(async () => {
  sound = await soundLake()
})

beforeEach(async () => {
  broken = ''
  lake = join(await temporaryFolder(), 'lake')
  cpSync(sound, lake, { recursive: true, preserveTimestamps: true })
})

const faults = async () =>
  (await (await verifierOf(lake)).verify()).findings
    .filter(isFault)
    .map(({ kind, file, what }) => `${kind}: ${file}: ${what}`)

it('an empty folder at the path of a data file is a fault', async () => {
  const [file] = some((await new Lake(lake).latest()).tables.flatMap(({ files }) => files))
  rmSync(file.path)
  mkdirSync(file.path)
  expect(await faults()).toEqual([
    `data file: ${file.path.slice(lake.length + 1)}: A folder is in its place.`,
  ])
})

it('a file at the path of a table is a fault', async () => {
  rmSync(join(lake, 'l1_rewards'), { recursive: true })
  writeFileSync(join(lake, 'l1_rewards'), 'no table')
  expect(await faults()).toContain('table: l1_rewards: A file is in the place of the folder of a table.')
})

it('state and key folders behind symbolic links are verified', async () => {
  for (const name of ['_state', '_keys']) {
    renameSync(join(lake, name), join(dirname(lake), name))
    symlinkSync(join(dirname(lake), name), join(lake, name))
  }
  expect(await faults()).toEqual([])
  const [index] = some(filesBelow(join(dirname(lake), '_state')).filter((path) => path.endsWith('.keys')))
  writeFileSync(join(dirname(lake), '_state', index), 'no index')
  writeFileSync(join(dirname(lake), '_keys', 'keys.ndjson'), 'no keys\n')
  expect((await faults()).sort()).toEqual([
    `derived: ${join('_state', index)}: It is damaged.`,
    expect.stringMatching(/^keys: _keys\/keys.ndjson: /),
  ])
})

it.each([
  ['a partition', 'iot_reward_shares/month=2025-01'],
  ['the log of a table', 'iot_reward_shares/_delta_log'],
  ['a table', 'iot_reward_shares'],
  ['what is derived', '_state/by-key'],
  ['what runs hold', '_staging'],
])('a folder that cannot be listed, %s, is a fault, and all others are verified', async (_, folder) => {
  mkdirSync(join(lake, '_staging'), { recursive: true })
  const [other] = some(
    (await new Lake(lake).latest()).tables.filter(({ resource }) => resource.name === 'l1_rewards'),
  )
  const [lost] = some(other.files)
  rmSync(lost.path)
  broken = join(lake, folder)
  expect(await faults()).toEqual([
    `folder: ${folder}: It cannot be listed, so nothing in it was checked: the disk reports an input or output error.`,
    `data file: ${lost.path.slice(lake.length + 1)}: It is missing.`,
  ])
})

it.each(['_staging', '_readers'])('a file at the path of the folder %s is a fault', async (name) => {
  rmSync(join(lake, name), { recursive: true, force: true })
  writeFileSync(join(lake, name), 'no folder')
  expect(await faults()).toEqual([
    `folder: ${name}: A file is in the place of a folder of this program, so nothing can be written there.`,
  ])
})

it('a folder at the path of a log entry is a fault of that entry, and a copy repairs it once the folder is empty', async () => {
  const entry = entryPath(join(lake, 'iot_reward_shares'), 1)
  rmSync(entry)
  mkdirSync(join(entry, 'other'), { recursive: true })
  expect(await faults()).toContain(`log entry: ${entry.slice(lake.length + 1)}: A folder is in its place.`)
  expect((await faults()).filter((own) => own.startsWith('table'))).toEqual([])
  const repair = () => runMain(['verify', '--lake', lake, '--repair', '--from', sound])
  expect((await repair()).stderr).toContain(
    `${entry} could not be repaired: a folder with other files is in the place of ${entry}; move it away`,
  )
  expect(existsSync(join(entry, 'other'))).toBe(true)
  rmSync(join(entry, 'other'), { recursive: true })
  expect((await repair()).code).toBe(0)
  expect(contentOf(lake)).toEqual(contentOf(sound))
})

it('the files of followers and of sync are not leftovers', async () => {
  const paths = ['_origin.json', '_parts/a', '_state/sync/a/state.json']
  for (const path of paths) {
    mkdirSync(dirname(join(lake, path)), { recursive: true })
    writeFileSync(join(lake, path), '{"url":"s3://bucket/lake","endpoint":""}')
  }
  const told = async () => (await (await verifierOf(lake)).verify()).findings.map(({ file }) => file)
  expect((await told()).filter((file) => paths.includes(file))).toEqual([])
})
