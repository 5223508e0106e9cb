import { lstat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { entriesIn, unlessMissing } from '../disk/disk.ts'
import { factsFolder, logFolder, stagingFolder, tableFolder } from '../disk/layout.ts'
import type { Snapshot } from './snapshot.ts'

/** Bytes on disk by purpose. */
export interface DiskUse {
  /** Files of the snapshot. */
  readonly tables: number
  /** Other files in table folders, which a vacuum removes in time. */
  readonly oldFiles: number
  /** Log and facts files. */
  readonly log: number
  readonly state: number
  /** Files of running and dead runs. */
  readonly staging: number
  /** Free bytes of the lake's file system; null if unavailable. */
  readonly free: number | null
}

export async function diskUse(lake: string, state: string, at: Snapshot): Promise<DiskUse> {
  const folders = at.tables.map(({ resource }) => tableFolder(lake, resource))
  const live = at.tables.flatMap(({ files }) => files).reduce((sum, { bytes }) => sum + bytes, 0)
  const log = await sumOf(folders.flatMap((folder) => [logFolder(folder), factsFolder(folder)]))
  const stats = await statfs(lake).catch(() => undefined)
  return {
    tables: live,
    oldFiles: Math.max(0, (await sumOf(folders)) - live - log),
    log,
    state: await bytesBelow(state),
    staging: await bytesBelow(stagingFolder(lake)),
    free: stats === undefined ? null : stats.bavail * stats.bsize,
  }
}

async function sumOf(folders: readonly string[]): Promise<number> {
  const sums = await Promise.all(folders.map(bytesBelow))
  return sums.reduce((sum, bytes) => sum + bytes, 0)
}

/** Sums the bytes of all files below a folder; 0 if it does not exist. Concurrently removed files count as 0. */
export async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await entriesIn(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += await bytesBelow(path)
    else bytes += (await lstat(path).catch(unlessMissing))?.size ?? 0
  }
  return bytes
}
