import { existsSync, rmSync } from 'node:fs'
import fs from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { stagingFolder } from '../../../src/lake/disk/layout.ts'
import { isFault } from '../../../src/operate/verify/finding.ts'
import { openStagingRun } from '../../../src/write/store/staging.ts'
import { crash, crashAlong, crashing, crashingCalls, endProcess } from '../../support/crash.ts'
import { filesBelow } from '../../support/lakes/leftovers.ts'
import { verifierOf } from '../../support/lakes/sound-lake.ts'
import { replaceBuiltin } from '../../support/replace-builtin.ts'
import { commitFiles, stageFile } from '../../support/tables/staged-files.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

replaceBuiltin(fs, crashingCalls)

beforeEach(() => {
  Object.assign(crash, { at: Number.POSITIVE_INFINITY, mode: 'dies' })
})

async function commit(lake: string): Promise<void> {
  const run = await openStagingRun(lake)
  try {
    const staged = await stageFile(run.folder, 'january', ['a.gz'], '2025-01')
    await commitFiles(lake, iotRewardShares, [staged], { operation: 'INGEST', runId: run.id })
  } finally {
    await run.close()
  }
}

const TABLE = iotRewardShares.name
const findingsOf = async (lake: string) => (await (await verifierOf(lake)).verify()).findings

it('a first ingest killed before its first log entry causes no fault, and its files are reported as leftovers', async () => {
  let unfinished = 0
  await crashAlong(1, async (at) => {
    const lake = join(await temporaryFolder(), 'lake')
    const goesOn = await crashing(() => commit(lake), at)
    endProcess(lake)
    const files = filesBelow(join(lake, TABLE))
    if (files.length === 0 || files.some((path) => path.startsWith('_delta_log/'))) return goesOn
    unfinished += 1
    const found = await findingsOf(lake)
    expect(found.filter(isFault)).toEqual([])
    expect(found.filter(({ file }) => file.startsWith(TABLE))).toEqual([
      expect.objectContaining({
        ...{ kind: 'leftover', file: TABLE },
        what: 'A run put files into it and has committed none; they are no part of the lake.',
      }),
    ])
    // Files that no run holds had an entry, or their run would have them.
    rmSync(stagingFolder(lake), { recursive: true })
    expect((await findingsOf(lake)).filter(isFault)).toEqual([
      expect.objectContaining({ kind: 'table', file: TABLE, what: 'It has files and no log.' }),
    ])
    return goesOn
  })
  expect(unfinished).toBeGreaterThan(3)
})

it('a table without its log is a fault although a run killed after its commit still holds its files', async () => {
  const lake = join(await temporaryFolder(), 'lake')
  const run = await openStagingRun(lake)
  const staged = await stageFile(run.folder, 'january', ['a.gz'], '2025-01')
  await commitFiles(lake, iotRewardShares, [staged], { operation: 'INGEST', runId: run.id })
  endProcess(lake)
  rmSync(join(lake, TABLE, '_delta_log'), { recursive: true })
  expect(existsSync(stagingFolder(lake))).toBe(true)
  expect((await findingsOf(lake)).filter(isFault)).toEqual([
    expect.objectContaining({ kind: 'table', file: TABLE, what: 'It has files and no log.' }),
  ])
})
