import { readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../disk/disk.ts'
import { changeAlone } from './change-alone.ts'

const lockOf = (lake: string) => join(lake, '_restore')

/**
 * Runs work under the lock of a lake for restore and vacuum, with a scratch folder. Without it a vacuum could remove
 * files that a restore has just created. Errors: `lake_unwritable` when another holder neither ends nor begins for `waitMs`.
 */
export async function withTablesAlone<T>(
  lake: string,
  work: (scratch: string) => Promise<T>,
  waitMs?: number,
): Promise<T> {
  try {
    return await changeAlone(lockOf(lake), work, waitMs)
  } finally {
    // The folder is kept if another process holds a lock in it.
    await rmdir(`${lockOf(lake)}.lock`).catch(() => {})
  }
}

/** Does the same for work that frees space. On a full disk it runs without a lock, because no process can take one. */
export async function withTablesAloneOrFull<T>(lake: string, work: () => Promise<T>): Promise<T> {
  let isBegun = false
  try {
    return await withTablesAlone(lake, async () => {
      isBegun = true
      return await work()
    })
  } catch (error) {
    const isFull = hasCode(error, ['ENOSPC', 'EDQUOT'])
    if (isBegun || !isFull || (await readdir(`${lockOf(lake)}.lock`).catch(() => [])).length > 0) throw error
    return await work()
  }
}
