import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { runFolder } from '../../../src/lake/disk/layout.ts'
import { readNewestTable } from '../../../src/lake/snapshot/snapshot.ts'
import { amendTable } from '../../../src/write/store/amend-table.ts'
import { readEntries } from '../../support/tables/delta-table.ts'
import { entryPath, rewriteEntry } from '../../support/tables/log-entries.ts'
import { commitFiles, stageFile } from '../../support/tables/staged-files.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Whether every version is already taken. */
const others = vi.hoisted(() => ({ win: false }))

vi.mock('../../../src/lake/log/append-entry.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../src/lake/log/append-entry.ts')>()
  const append: typeof original.appendEntry = async (...args) =>
    !others.win && (await original.appendEntry(...args))
  return { ...original, appendEntry: append }
})

const label = { operation: 'INGEST', runId: 'test' }

async function newLake() {
  const lake = await temporaryFolder()
  const staging = runFolder(lake, label.runId)
  await mkdir(staging, { recursive: true })
  const stage = (name: string) => stageFile(staging, name, [`${name}.gz`])
  const commit = async (name: string) => commitFiles(lake, iotRewardShares, [await stage(name)], label)
  const table = join(lake, iotRewardShares.name)
  const dataFiles = async () =>
    (await readdir(table, { recursive: true })).filter((name) => name.endsWith('.parquet')).sort()
  return { lake, table, stage, commit, dataFiles }
}

it('a change that only removes files has the operation DELETE', async () => {
  const { lake, table, commit } = await newLake()
  await commit('a')
  await amendTable(lake, iotRewardShares, label, async ({ files }) => ({ stale: files, staged: [] }))
  const [, { actions } = { actions: [] }] = readEntries(table)
  expect(actions.map((action) => Object.keys(action).join())).toEqual(['commitInfo', 'remove'])
  expect(actions[0]?.commitInfo).toMatchObject({ operation: 'DELETE', isBlindAppend: false })
  expect((await readNewestTable(lake, iotRewardShares)).files).toEqual([])
})

it('a table without a protocol in its log is neither read nor written', async () => {
  const { lake, table, commit } = await newLake()
  await commit('a')
  rewriteEntry(entryPath(table, 0), (actions) => actions.filter(({ protocol }) => protocol === undefined))
  const refusal = {
    code: 'lake_damaged',
    message: `The log of ${table} has no protocol or no metaData; restore it from a copy.`,
  }
  await expect(commit('b')).rejects.toMatchObject(refusal)
  await expect(readNewestTable(lake, iotRewardShares)).rejects.toMatchObject(refusal)
})

describe('a change of a table that loses the race to another commit', () => {
  it('is planned again, and keeps the linked files that the new plan needs', async () => {
    const { lake, stage, commit, dataFiles } = await newLake()
    const [kept, dropped] = [await stage('kept'), await stage('dropped')]
    const versions: number[] = []
    const isCommitted = await amendTable(lake, iotRewardShares, label, async ({ version }) => {
      versions.push(version)
      if (version < 0) {
        await commit('other')
        return { stale: [], staged: [kept, dropped] }
      }
      // A file that is already in the table is not linked again.
      await rm(kept.path)
      return { stale: [], staged: [kept] }
    })
    expect(isCommitted).toBe(true)
    expect(versions).toEqual([-1, 0])
    expect(await dataFiles()).toEqual(['month=2025-01/part-kept.parquet', 'month=2025-01/part-other.parquet'])
    const { version, sources } = await readNewestTable(lake, iotRewardShares)
    expect(version).toBe(1)
    expect([...sources.keys()].sort()).toEqual(['iot_reward_share/kept.gz', 'iot_reward_share/other.gz'])
  })

  it('leaves no file if the new plan has no change', async () => {
    const { lake, stage, commit, dataFiles } = await newLake()
    const staged = [await stage('mine')]
    const isCommitted = await amendTable(lake, iotRewardShares, label, async ({ version }) => {
      if (version < 0) await commit('other')
      return { stale: [], staged: version < 0 ? staged : [] }
    })
    expect(isCommitted).toBe(false)
    expect(await dataFiles()).toEqual(['month=2025-01/part-other.parquet'])
  })

  it('gives up after a hundred lost races, and removes its files', async () => {
    const { lake, table, stage, commit, dataFiles } = await newLake()
    await commit('other')
    const staged = [await stage('mine')]
    let attempts = 0
    others.win = true
    const amended = amendTable(lake, iotRewardShares, label, async () => {
      attempts += 1
      return { stale: [], staged }
    })
    await expect(amended).rejects.toMatchObject({
      code: 'commit_conflict',
      message: `Other commits to ${table} won 100 times; run the same command again.`,
    })
    others.win = false
    expect(attempts).toBe(100)
    expect(await dataFiles()).toEqual(['month=2025-01/part-other.parquet'])
  })
})
