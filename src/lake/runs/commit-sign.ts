import { randomUUID } from 'node:crypto'
import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fail } from '../../base/errors.ts'
import { entriesIn, unlessMissing } from '../disk/disk.ts'
import { logFolder, restoredFolder, runFolder, stagingFolder } from '../disk/layout.ts'
import { listAbandoned } from './run-folder.ts'

/** A log entry must not come into a table that a restore has put in the place of the one that it follows from. */

const SIGN = '.commit'
const WAIT_MS = 10_000
const LOOK_AGAIN_MS = 20

/** Which folder the log of a table is; undefined when there is none. */
export async function placeOfLog(table: string): Promise<string | undefined> {
  const facts = await stat(logFolder(table), { bigint: true }).catch(unlessMissing)
  return facts && `${facts.dev} ${facts.ino}`
}

/**
 * Commits while no restore puts tables in their place: the commit puts up its sign before it looks for the restore, and the
 * restore before it looks for signs, so at most one goes on. `place` is what `placeOfLog` gave when the log was read.
 * Errors: `commit_conflict` beside a restore or after one.
 */
export async function withSign<T>(
  lake: string,
  table: string,
  place: string | undefined,
  runId: string,
  commit: () => Promise<T>,
): Promise<T> {
  const sign = join(runFolder(lake, runId), randomUUID() + SIGN)
  await writeFile(sign, '')
  try {
    const isRestored = (await stat(restoredFolder(lake)).catch(unlessMissing)) !== undefined
    if (isRestored || (await placeOfLog(table)) !== place)
      fail(
        'commit_conflict',
        `A restore put another table in the place of ${table}, so nothing was committed to it; run the same command again once the restore is complete.`,
      )
    return await commit()
  } finally {
    // What cannot be removed goes with the folder of the run.
    await rm(sign, { force: true }).catch(() => {})
  }
}

/** Waits for the commits of living processes. Errors: `lake_unwritable` when one does not end. */
export async function commitsEnded(lake: string, waitMs = WAIT_MS): Promise<void> {
  const giveUpAt = performance.now() + waitMs
  for (;;) {
    const sign = await anySign(stagingFolder(lake))
    if (sign === undefined) return
    if (performance.now() > giveUpAt)
      fail(
        'lake_unwritable',
        `Another command is committing to ${lake}; wait for it, or remove ${sign} if none is running, and run the same command again.`,
      )
    await setTimeout(LOOK_AGAIN_MS)
  }
}

async function anySign(staging: string): Promise<string | undefined> {
  const abandoned = await listAbandoned(staging)
  for (const { name: run } of await entriesIn(staging)) {
    if (abandoned.includes(run)) continue
    const sign = (await entriesIn(join(staging, run))).find(({ name }) => name.endsWith(SIGN))
    if (sign !== undefined) return join(staging, run, sign.name)
  }
  return undefined
}
