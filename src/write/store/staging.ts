import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fail, sentenceOf } from '../../base/errors.ts'
import type { Resource } from '../../catalog/resource.ts'
import { errorCodeOf, syncFolder } from '../../lake/disk/disk.ts'
import { dataFilePath, newDataFileName, stagingFolder, tableFolder } from '../../lake/disk/layout.ts'
import { openRunFolder, type RunFolder, takeAbandoned } from '../../lake/runs/run-folder.ts'
import { clearRun } from '../../lake/vacuum/clear-run.ts'

/** Private folder of one run's files. It is removed at the end of the run or by a later run. */
export interface StagingRun extends Pick<RunFolder, 'id' | 'folder'> {
  /** Returns a path for a data file; relative to the run's folder it equals the path in the lake. */
  newDataFile(resource: Resource, partition: string | null): Promise<string>
  close(): Promise<void>
}

/** Errors: `lake_unwritable`. */
export async function openStagingRun(lake: string): Promise<StagingRun> {
  const parent = stagingFolder(lake)
  const run = await openRunFolder(parent).catch((cause) =>
    fail('lake_unwritable', `The lake ${lake} cannot be written: ${sentenceOf(cause)}`, { cause }),
  )
  // A later run retries unreadable folders.
  for (const folder of await takeAbandoned(parent).catch(() => [])) await clearOrLeave(lake, folder)
  return {
    id: run.id,
    folder: run.folder,
    async newDataFile(resource, partition) {
      const table = tableFolder(run.folder, resource)
      await makeInside(table)
      const path = join(table, dataFilePath(resource, partition, newDataFileName()))
      if (partition !== null) await makeInside(dirname(path))
      return path
    },
    async close() {
      run.release()
      await clearOrLeave(lake, run.folder)
    },
  }
}

/** A later run retries folders that cannot be cleared. */
async function clearOrLeave(lake: string, folder: string): Promise<void> {
  await clearRun(lake, folder).catch(() => {})
}

/**
 * Creates a folder, but never the run's folder: a run that lost its folder must not commit. The name is synced, so that
 * after a power failure the next run finds the links into the lake.
 */
async function makeInside(folder: string): Promise<void> {
  try {
    await mkdir(folder)
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error
    return
  }
  await syncFolder(dirname(folder))
}
