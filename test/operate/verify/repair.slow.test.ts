import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { takeBackup } from '../../../src/operate/backup/backup.ts'
import { compact } from '../../../src/write/compact/compact.ts'
import { everyAnswer } from '../../support/every-answer.ts'
import { smallNetwork } from '../../support/fixtures.ts'
import { contentOf } from '../../support/lakes/lake-content.ts'
import { filesBelow, leftoversOf } from '../../support/lakes/leftovers.ts'
import type { MadeLake } from '../../support/lakes/make-lake.ts'
import { copySmallLake } from '../../support/lakes/small-lake.ts'
import { makeSoundLake } from '../../support/lakes/sound-lake.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { some } from '../../support/some.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let made: MadeLake
let answers: Awaited<ReturnType<typeof answersOf>>
let lake = ''

async function answersOf(folder: string) {
  const server = await buildTestServer(folder)
  const all = await everyAnswer(server)
  await server.close()
  return all
}

beforeAll(async () => {
  made = await makeSoundLake()
  // The answers are asked without a key.
  for (const name of ['_keys', '_keys_needed']) rmSync(join(made.folder, name), { recursive: true })
  answers = await answersOf(made.folder)
})

beforeEach(async () => {
  lake = join(await temporaryFolder(), 'lake')
  cpSync(made.folder, lake, { recursive: true, preserveTimestamps: true })
})

const paths = (pattern: RegExp) => some(filesBelow(lake).filter((path) => pattern.test(path)))

function flip(path: string, folder = lake): void {
  const bytes = readFileSync(join(folder, path))
  bytes[20] = (bytes[20] ?? 0) ^ 1
  writeFileSync(join(folder, path), bytes)
}

const verify = (...args: readonly string[]) => runMain(['verify', '--lake', lake, '--json', ...args])
const faultsIn = (stdout: string) =>
  (JSON.parse(stdout) as { findings: { level: string; file: string }[] }).findings
    .filter(({ level }) => level === 'fault')
    .map(({ file }) => file)

async function liveFiles(table: string): Promise<readonly string[]> {
  const at = await new Lake(lake).latest()
  const files = at.tables.find(({ resource }) => resource.name === table)?.files ?? []
  return some(files.map(({ path }) => path.slice(lake.length + 1)))
}

describe('a repair from another copy', () => {
  it('copies data files and log entries with the same digest, and rebuilds checkpoints and indexes', async () => {
    const { folder } = await takeBackup({ lake: made.folder, to: await temporaryFolder() })
    const damaged = [
      ...paths(/^(iot_reward_shares|l1_rewards)\/.*part-.*\.parquet$/),
      ...paths(/^mobile_reward_shares\/_delta_log\/0+\.json$/),
      ...paths(/_snapshot/),
      ...paths(/_last_checkpoint$/),
      ...paths(/^_state\/by-key\/.*keys$/),
      ...paths(/^_state\/index\/.*blocks$/),
    ]
    const [gone = ''] = await liveFiles('iot_reward_shares')
    for (const path of damaged) flip(path)
    rmSync(join(lake, gone))
    expect((await verify()).code).toBe(4)
    const { code, stdout, stderr } = await verify('--repair', '--from', dirname(folder))
    expect(faultsIn(stdout)).toEqual([])
    expect(code).toBe(0)
    expect(stderr).toContain(`copied ${join(lake, gone)} from ${dirname(folder)}\n`)
    const [before, after] = [contentOf(made.folder), contentOf(lake)]
    for (const path of damaged.filter((own) => /part-|\.json$/.test(own) && !own.startsWith('_state')))
      expect(after[path]).toBe(before[path])
    expect(await answersOf(lake)).toEqual(answers)
    expect(leftoversOf(lake)).toEqual([])
  })

  it('copies no file with another digest, and no entry of another log', async () => {
    const other = (await makeSoundLake()).folder
    for (const path of filesBelow(other).filter((own) => /^iot.*part-/.test(own))) flip(path, other)
    const [file = ''] = await liveFiles('iot_reward_shares')
    const [entry = ''] = paths(/^l1_rewards\/_delta_log\/0+\.json$/)
    for (const path of [file, entry]) flip(path)
    const { code, stdout, stderr } = await verify('--repair', '--from', other)
    expect(code).toBe(4)
    expect([...faultsIn(stdout)].sort()).toEqual([file, entry].sort())
    expect(stderr).toContain(`${other} has no file with the digest of ${join(lake, file)}`)
    expect(stderr).toContain(`${other} has no sound ${join(lake, entry)} of the same log`)
  })
})

describe('a repair from source files', () => {
  const inputs = () => [0, 1].map((number) => join(dirname(made.input), `input-${number}`))

  it('rewrites a damaged file from all of its sources, and no response changes', async () => {
    const [file = ''] = await liveFiles('iot_reward_shares')
    const [mobile = ''] = await liveFiles('mobile_reward_shares')
    for (const path of [file, mobile]) flip(path)
    const { code, stdout, stderr } = await verify('--repair', ...inputs())
    expect(faultsIn(stdout)).toEqual([])
    expect(code).toBe(0)
    expect(stderr).toContain(
      `wrote ${join(lake, file)} anew from iot_reward_share.1.gz, iot_reward_share.2.gz, iot_reward_share.3.gz\n`,
    )
    expect(await liveFiles('iot_reward_shares')).not.toContain(file)
    expect(await answersOf(lake)).toEqual(answers)
    expect(leftoversOf(lake)).toEqual([])
  })

  it('is refused if a source is missing or changed, and names that source', async () => {
    const [file = ''] = await liveFiles('iot_reward_shares')
    flip(file)
    const [first = ''] = inputs()
    const { code, stderr, stdout } = await verify('--repair', first)
    expect(code).toBe(4)
    expect(stderr).toContain(
      `${join(lake, file)} is as it was: these files are needed too, with the bytes that were ingested: iot_reward_share.3.gz\n`,
    )
    expect(faultsIn(stdout)).toEqual([file])
    const changed = join(await temporaryFolder(), 'iot_reward_share.3.gz')
    cpSync(join(first, 'iot', 'iot_reward_share.1.gz'), changed)
    expect((await verify('--repair', first, changed)).stderr).toContain('ingested: iot_reward_share.3.gz\n')
  })
})

describe('a lake with every data file damaged', () => {
  const exported = async () => {
    const file = join(await temporaryFolder(), 'network.duckdb')
    expect(await runMain(['export', '--all', '--lake', lake, '--out', file])).toMatchObject({ code: 0 })
    return file
  }

  it.each([
    ['its source files', async () => smallNetwork],
    ['an exported DuckDB file', exported],
  ])(
    'answers the corpus byte for byte after a repair from %s, including state tables and archive',
    async (_, copyOf) => {
      await rm(lake, { recursive: true })
      await copySmallLake(lake, 'a commit for each file')
      const merged = await compact({ lake, months: ['2025-01'], openWriter: openTestWriter })
      expect(merged.length).toBeGreaterThan(2)
      const copy = await copyOf()
      const before = await answersOf(lake)
      expect(Object.keys(before).length).toBeGreaterThan(50)
      const at = await new Lake(lake).latest()
      const files = at.tables.flatMap((table) => table.files.map(({ path }) => path.slice(lake.length + 1)))
      for (const path of files) flip(path)
      expect((await verify()).code).toBe(4)
      const { code, stdout, stderr } = await verify('--repair', copy)
      expect(stderr).not.toContain('is as it was')
      expect([faultsIn(stdout), code]).toEqual([[], 0])
      expect(files.length).toBeGreaterThan(15)
      expect(await answersOf(lake)).toEqual(before)
      const after = await new Lake(lake).latest()
      for (const table of at.tables) expect(after.table(table.resource).sources).toEqual(table.sources)
    },
  )
})
