import { readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../disk/disk.ts'
import { changeAlone } from './change-alone.ts'

/** A path is a file of the table that lies there: a vacuum must not remove by the log of one what a restore has just put in its place. */

const lockOf = (lake: string) => join(lake, '_restore')

/**
 * Does work while no other restore and no vacuum of a lake does, with a folder for temporary files in the lake.
 * Errors: `lake_unwritable` when another neither ends nor begins for `waitMs`.
 */
export async function withTablesAlone<T>(
  lake: string,
  work: (scratch: string) => Promise<T>,
  waitMs?: number,
): Promise<T> {
  try {
    return await changeAlone(lockOf(lake), work, waitMs)
  } finally {
    // It stays where somebody else has begun.
    await rmdir(`${lockOf(lake)}.lock`).catch(() => {})
  }
}

/** The same for work that makes room: where the disk is full it goes on, since then nobody else can begin. */
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
