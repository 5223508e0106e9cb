import { cpSync, linkSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { type VacuumRequest, vacuum } from '../../../src/lake/vacuum/vacuum.ts'
import { compact } from '../../../src/write/compact/compact.ts'
import { openStagingRun } from '../../../src/write/store/staging.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { filesBelow } from '../../support/lakes/leftovers.ts'
import { craftArtifact, oneDay } from '../../support/messages/craft-artifacts.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { replaceBuiltin } from '../../support/replace-builtin.ts'
import { askGraphql } from '../../support/servers/ask-graphql.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { some } from '../../support/some.ts'
import { addedFiles } from '../../support/tables/delta-table.ts'
import { clockAfter, readClocks } from '../../support/tables/log-entries.ts'
import { idAt } from '../../support/tables/snapshot-ids.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** What happens before a call with a path. */
let meanwhile: Partial<Record<'stat' | 'readdir' | 'access', (path: string) => void>> = {}
replaceBuiltin(promises, (real) => {
  const interrupted = <T>(name: keyof typeof meanwhile, call: T): T =>
    (async (path: unknown, ...more: unknown[]) => {
      meanwhile[name]?.(String(path))
      return await (call as (...given: unknown[]) => unknown)(path, ...more)
    }) as T
  return {
    stat: interrupted('stat', real.stat),
    readdir: interrupted('readdir', real.readdir),
    access: interrupted('access', real.access),
  }
})
const errorOf = (code: string) => Object.assign(new Error(`${code}: a fault`), { code })

const HOUR_MS = 3_600_000
const january = 'iot_reward_shares/month=2025-01'

let lake = ''
/** A lake whose three files of January were merged. */
let compacted = ''
let old: readonly string[] = []
/** When the three files were merged. */
let compactedAt = 0

beforeAll(async () => {
  const folder = await temporaryFolder()
  const input = join(folder, 'in')
  compacted = join(folder, 'lake')
  lake = compacted
  mkdirSync(input)
  for (let file = 0; file < 3; file += 1) {
    const row = { ...oneDay, reward_type: 'operational_reward', amount: 10n ** BigInt(file) }
    craftArtifact(input, 'iot_reward_share', 1738110600000 + file, [row])
  }
  await ingestInto(lake, [input], { commitRows: 1 })
  old = dataFiles()
  await compact({ lake, openWriter: openTestWriter, months: ['2025-01'] })
  compactedAt = (await new Lake(lake).latest()).table(iotRewardShares).committedAt
})

beforeEach(async () => {
  meanwhile = {}
  lake = join(await temporaryFolder(), 'lake')
  cpSync(compacted, lake, { recursive: true, preserveTimestamps: true })
})

const dataFiles = () => readdirSync(join(lake, january)).map((name) => `month=2025-01/${name}`)
const newer = () => dataFiles().filter((path) => !old.includes(path))
/** Vacuums when the machine has run for so long since the files were merged, and has the right time. */
const run = ({ passedMs = 0, ...more }: Partial<VacuumRequest> & { passedMs?: number } = {}) =>
  vacuum({ lake, keepHours: 168, isDryRun: false, clock: clockAfter(compaction(), passedMs), ...more })
const compaction = () => readClocks(join(lake, 'iot_reward_shares'), 3)

/** A data file that no version names. */
function addOrphan(name: string, ageHours: number): string {
  const path = join(lake, january, `part-${name}.parquet`)
  writeFileSync(path, 'orphan')
  const then = new Date(compactedAt - ageHours * HOUR_MS)
  utimesSync(path, then, then)
  return `month=2025-01/part-${name}.parquet`
}

describe('vacuum', () => {
  it('keeps the files of every version that was the newest within the retention time', async () => {
    expect(await run()).toEqual([])
    expect(await run({ passedMs: 168 * HOUR_MS - 1 })).toEqual([])
    expect(dataFiles()).toHaveLength(4)
    expect(readdirSync(join(lake, 'iot_reward_shares', '_facts'))).toHaveLength(4)
  })

  it('removes only files that older versions alone name', async () => {
    const others = filesBelow(lake).filter((path) => !path.startsWith(january))
    const [removed, ...more] = await run({ passedMs: 168 * HOUR_MS })
    expect(removed).toMatchObject({ table: 'iot_reward_shares', paths: [...old].sort() })
    expect(more).toEqual([])
    expect(dataFiles()).toEqual(newer())
    expect(newer()).toHaveLength(1)
    const factsFolder = 'iot_reward_shares/_facts/'
    const left = filesBelow(lake).filter((path) => !path.startsWith(january))
    const isOther = (path: string) => !path.startsWith(factsFolder)
    expect(left.filter(isOther)).toEqual(others.filter(isOther))
    expect(others.filter((path) => !isOther(path))).toHaveLength(4)
    const [live] = some(addedFiles(join(lake, 'iot_reward_shares')))
    expect(left.filter((path) => !isOther(path))).toEqual([
      `${factsFolder}${live?.tags['ledgerlake.facts']?.slice(0, 64)}.json.gz`,
    ])
  })

  it('only lists files with --dry-run', async () => {
    const before = filesBelow(lake)
    const listed = await run({ keepHours: 0, isDryRun: true })
    expect(filesBelow(lake)).toEqual(before)
    expect(await run({ keepHours: 0 })).toEqual(listed)
    expect(await run({ keepHours: 0 })).toEqual([])
  })

  it('removes old data files that no version names, and no other files', async () => {
    const aged = addOrphan('aged', 200)
    addOrphan('young', 100)
    const stays = ['notes.txt', 'part-half.parquet.tmp', '_hidden.parquet', 'part-.crc']
    for (const name of stays) writeFileSync(join(lake, january, name), 'mine')
    mkdirSync(join(lake, 'iot_reward_shares', 'sub', 'month=2025-01'), { recursive: true })
    writeFileSync(join(lake, 'iot_reward_shares', 'sub', 'month=2025-01', 'part-deep.parquet'), 'mine')
    writeFileSync(join(lake, 'part-beside.parquet'), 'mine')
    expect(await run()).toMatchObject([{ paths: [aged] }])
    const left = filesBelow(lake)
    for (const name of stays) expect(left).toContain(`${january}/${name}`)
    expect(left).toEqual(
      expect.arrayContaining([
        `${january}/part-young.parquet`,
        'iot_reward_shares/sub/month=2025-01/part-deep.parquet',
        'part-beside.parquet',
      ]),
    )
  })

  it('keeps files that a running ingest has linked but not committed, however old', async () => {
    const staging = await openStagingRun(lake)
    const held = addOrphan('held', 1000)
    const staged = join(staging.folder, 'iot_reward_shares', held)
    mkdirSync(dirname(staged), { recursive: true })
    linkSync(join(lake, 'iot_reward_shares', held), staged)
    expect(await run()).toEqual([])
    expect(dataFiles()).toContain(held)
    await staging.close()
    expect(dataFiles()).not.toContain(held)
  })

  it('continues when another program removes a listed file or folder', async () => {
    mkdirSync(join(lake, 'iot_reward_shares', 'month=2024-12'))
    writeFileSync(join(lake, 'iot_reward_shares', 'part-beside.parquet'), 'in no partition')
    const [gone = ''] = old
    meanwhile.readdir = (path) => {
      if (path.endsWith('month=2024-12')) throw errorOf('ENOENT')
    }
    meanwhile.stat = (path) => {
      if (path.endsWith(gone)) throw errorOf('ENOENT')
    }
    const [table] = await run({ keepHours: 0, isDryRun: true })
    expect(table?.paths).toEqual([...old.slice(1), 'part-beside.parquet'].sort())
  })

  it.each(['stat', 'readdir', 'access'] as const)('removes no file when %s fails', async (call) => {
    meanwhile[call] = (path) => {
      if (path.endsWith('.parquet') || path.endsWith('_facts')) throw errorOf('EIO')
    }
    const work = run({ passedMs: 0 })
    if (call === 'access') expect(await work).toEqual([])
    else await expect(work).rejects.toThrow('EIO')
    meanwhile = {}
    expect(readdirSync(join(lake, 'iot_reward_shares', '_facts'))).toHaveLength(4)
    expect(dataFiles()).toHaveLength(4)
  })

  it('removes no file of any table if one log is unreadable', async () => {
    const log = join(lake, 'reward_manifests', '_delta_log')
    mkdirSync(log, { recursive: true })
    writeFileSync(join(log, '00000000000000000000.json'), '{"add":')
    await expect(run({ keepHours: 0 })).rejects.toMatchObject({ code: 'lake_damaged' })
    expect(dataFiles()).toHaveLength(4)
  })

  it('removes no file of a table without a log', async () => {
    const log = join(lake, 'iot_reward_shares', '_delta_log')
    rmSync(log, { recursive: true })
    mkdirSync(log)
    expect(await vacuum({ lake, keepHours: 0, isDryRun: false })).toEqual([])
    expect(dataFiles()).toHaveLength(4)
    expect(readdirSync(join(lake, 'iot_reward_shares', '_facts'))).toHaveLength(4)
  })
})

describe('a served lake', () => {
  const range = 'from=2025-01-01&to=2025-02-01'
  const list = `/l2/iot-reward-shares?${range}`

  it('lets a server answer from the newest snapshot, and return an error for files of a vacuumed one', async () => {
    const older = await idAt(lake, iotRewardShares, 2)
    const test = await buildTestServer(lake)
    const before = await test.get(list)
    expect(before.headers['ledgerlake-snapshot']).toMatch(/^ooc3-/)
    const pinned = `${list}&as_of=${older}`
    await run({ keepHours: 0 })
    expect((await test.get(list)).text).toBe(before.text)
    const newest = before.headers['ledgerlake-snapshot']
    const sentence = `as_of is "${older}"; its files were vacuumed; use a newer snapshot, such as ${newest}.`
    for (const address of [pinned, pinned.replace('?', '/totals?')]) {
      const { status, text } = await test.get(address)
      expect([status, JSON.parse(text)]).toEqual([
        410,
        {
          error: sentence,
          code: 'gone',
          errors: [{ param: 'as_of', message: sentence.slice(0, -1) }],
        },
      ])
    }
    const query = '{ iotRewardShares(startPeriod: "2025-01-01") { nodes { id } } }'
    const { errors } = await askGraphql(test.server, query, {}, `/graphql?as_of=${older}`)
    expect(errors.map(({ message }) => message)).toEqual([sentence])
    const asOf = new Date(compactedAt - 1).toISOString()
    const { status, text } = await test.get(`${list}&as_of=${asOf}`)
    expect([status, JSON.parse(text).error]).toEqual([410, sentence.replace(older, asOf)])
    expect((await test.get(`${list}&as_of=${new Date(compactedAt).toISOString()}`)).text).toBe(before.text)
  })

  it('gives the same bytes for an older snapshot until it is vacuumed', async () => {
    const test = await buildTestServer(lake)
    const { text } = await test.get(list)
    const asOf = async (version: number) => `${list}&as_of=${await idAt(lake, iotRewardShares, version)}`
    expect((await test.get(await asOf(2))).text).toBe(text)
    expect((await test.get(await asOf(0))).text).not.toBe(text)
    await run()
    expect((await test.get(await asOf(2))).text).toBe(text)
  })

  it('still has every version of the log', async () => {
    await run({ keepHours: 0 })
    const at = async (version: number) => {
      const snapshot = await new Lake(lake).at(await idAt(lake, iotRewardShares, version))
      return snapshot?.table(iotRewardShares).files.length
    }
    expect([await at(0), await at(1), await at(2), await at(3)]).toEqual([1, 2, 3, 1])
  })
})
