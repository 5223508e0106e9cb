import { randomUUID } from 'node:crypto'
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fail } from '../../base/errors.ts'
import { entriesIn, unlessMissing } from '../disk/disk.ts'
import { logFolder, restoredFolder, runFolder, stagingFolder } from '../disk/layout.ts'
import { listAbandoned } from './run-folder.ts'

const SIGN = '.commit'
const WAIT_MS = 10_000
const LOOK_AGAIN_MS = 20

/** Returns device and inode of a log folder; undefined when there is none. */
export async function identifyLog(table: string): Promise<string | undefined> {
  const stats = await stat(logFolder(table), { bigint: true }).catch(unlessMissing)
  return stats && `${stats.dev} ${stats.ino}`
}

/**
 * Commits unless a restore replaces tables: the commit creates its sign before it looks for a restore, and a restore
 * its folder before it looks for signs, so at most one proceeds. `logId` is the result of `identifyLog` from before the
 * log was read. Errors: `commit_conflict` during a restore or after one.
 */
export async function withSign<T>(
  lake: string,
  table: string,
  logId: string | undefined,
  runId: string,
  commit: () => Promise<T>,
): Promise<T> {
  const sign = join(runFolder(lake, runId), randomUUID() + SIGN)
  await writeFile(sign, '')
  try {
    const isRestored = (await stat(restoredFolder(lake)).catch(unlessMissing)) !== undefined
    if (isRestored || (await identifyLog(table)) !== logId)
      fail(
        'commit_conflict',
        `A restore put another table in the place of ${table}, so nothing was committed to it; run the same command again once the restore is complete.`,
      )
    return await commit()
  } finally {
    // A sign that stays is removed with the folder of the run.
    await rm(sign, { force: true }).catch(() => {})
  }
}

/** Waits for the commits of live processes. Errors: `lake_unwritable` when a commit does not end. */
export async function waitForCommits(lake: string, waitMs = WAIT_MS): Promise<void> {
  const giveUpAt = performance.now() + waitMs
  for (;;) {
    const sign = await findSign(stagingFolder(lake))
    if (sign === undefined) return
    if (performance.now() > giveUpAt)
      fail(
        'lake_unwritable',
        `Another command is committing to ${lake}; wait for it, or remove ${sign} if none is running, and run the same command again.`,
      )
    await setTimeout(LOOK_AGAIN_MS)
  }
}

async function findSign(staging: string): Promise<string | undefined> {
  const abandoned = await listAbandoned(staging)
  for (const { name: run } of await entriesIn(staging)) {
    if (abandoned.includes(run)) continue
    const sign = (await entriesIn(join(staging, run))).find(({ name }) => name.endsWith(SIGN))
    if (sign !== undefined) return join(staging, run, sign.name)
  }
  return undefined
}
