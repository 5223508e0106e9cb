import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { sentenceOf } from '../../../../src/base/errors.ts'
import { iotRewardShares } from '../../../../src/catalog/l2/iot-reward-shares.ts'
import { refuseUnwritable } from '../../../../src/lake/disk/unwritable.ts'
import { checkpointIfDue } from '../../../../src/lake/log/checkpoint.ts'
import { Lake } from '../../../../src/lake/snapshot/lake.ts'
import type { StagedFile } from '../../../../src/write/store/amend-table.ts'
import { openStagingRun } from '../../../../src/write/store/staging.ts'
import { leftoversOf } from '../../../support/lakes/leftovers.ts'
import { noParquet } from '../../../support/lakes/made-up-table.ts'
import type { Ended } from '../../../support/servers/run-main.ts'
import { commitFiles, madeUpSource } from '../../../support/tables/staged-files.ts'
import { expectWholeLog } from '../../../support/tables/whole-log.ts'
import { lakeIn, type Scenario } from '../scenario.ts'

/** A commit of two files and a checkpoint by themselves, without DuckDB: each point takes milliseconds, so all can be tried. */

async function commitTwo(lake: string, name: string): Promise<void> {
  const run = await openStagingRun(lake)
  try {
    const stage = async (month: string): Promise<StagedFile> => {
      const path = await run.newDataFile(iotRewardShares, month)
      await writeFile(path, `rows of ${name} in ${month}`)
      const facts = { rows: 1, sources: [], columns: {}, chunks: [] }
      return { path, partition: month, facts, sources: [madeUpSource(`${name}.gz`)] }
    }
    const [january, february] = [await stage('2025-01'), await stage('2025-02')]
    const label = { operation: 'INGEST', runId: run.id }
    await commitFiles(lake, iotRewardShares, [january, february], label)
    await checkpointIfDue(lake, iotRewardShares, noParquet, run.folder, true)
  } finally {
    await run.close()
  }
}

async function filesOf(lake: string): Promise<number> {
  return (await new Lake(lake).latest()).table(iotRewardShares).files.length
}

function committing(name: string, before: number): Scenario {
  return {
    name,
    async prepare(folder) {
      for (let number = 0; number < before; number += 1) await commitTwo(lakeIn(folder), `before-${number}`)
    },
    async act(folder): Promise<Ended> {
      try {
        await commitTwo(lakeIn(folder), 'new').catch((error) => refuseUnwritable(error, lakeIn(folder)))
        return { code: 0, stdout: '', stderr: '' }
      } catch (error) {
        const { exit = 70 } = error as { exit?: number }
        return { code: exit, stdout: '', stderr: `ledgerlake: ${sentenceOf(error)}\n` }
      }
    },
    async check(folder, ended) {
      const files = await filesOf(lakeIn(folder))
      const expected = ended?.code === 0 ? [2 * before + 2] : [2 * before, 2 * before + 2]
      assert.ok(expected.includes(files), `${files} files are in`)
      if (files > 0) expectWholeLog(lakeIn(folder))
    },
    async checkEnd(folder) {
      assert.equal(await filesOf(lakeIn(folder)), 2 * before + 2)
      expectWholeLog(lakeIn(folder))
      assert.deepEqual(leftoversOf(lakeIn(folder)), [], 'something is left that nothing names')
    },
  }
}

export const commits: readonly Scenario[] = [
  committing('first commit', 0),
  committing('commit with a checkpoint', 10),
]
