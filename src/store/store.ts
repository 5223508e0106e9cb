import type { Resource } from '../catalog/resource.ts'
import { type CheckpointWriter, checkpointIfDue } from '../lake/checkpoint.ts'
import type { FileWriter } from '../lake/file-writer.ts'
import { stagingFolder } from '../lake/layout.ts'
import type { OpenWriter } from '../lake/open-writer.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { checkWritable, refuseUnwritable } from '../lake/unwritable.ts'
import { type Amendment, amendTable } from './amend-table.ts'
import { openStagingRun, type StagingRun } from './staging.ts'

/** What every commit needs of a writer. */
type StoreWriter = FileWriter & CheckpointWriter

/** Where staged rows go, and with what; `Writer` is what its user needs besides. */
export interface Store<Writer = unknown> {
  readonly lake: string
  readonly writer: Writer & StoreWriter
  readonly run: StagingRun
}

export interface StoreRequest<Writer> {
  readonly lake: string
  readonly openWriter: OpenWriter<Writer & StoreWriter>
}

/** Works with a writer and a staging folder of one run, which go when the work is done. Errors: `lake_unwritable`. */
export async function usingStore<T, Writer>(
  { lake, openWriter }: StoreRequest<Writer>,
  work: (store: Store<Writer>) => Promise<T>,
): Promise<T> {
  await checkWritable(stagingFolder(lake)).catch((error) => refuseUnwritable(error, lake))
  const run = await openStagingRun(lake)
  try {
    const writer = await openWriter(run.folder)
    try {
      return await work({ lake, writer, run })
    } finally {
      await writer.close()
    }
  } catch (error) {
    return refuseUnwritable(error, lake)
  } finally {
    await run.close()
  }
}

/**
 * Changes a table as `amendTable` does, and after a commit writes a checkpoint when one is due, or in any case.
 * Errors: those of `amendTable`.
 */
export async function amendIn(
  { lake, writer, run }: Store,
  resource: Resource,
  operation: string,
  amend: (table: TableSnapshot) => Promise<Amendment>,
  isCheckpointDue = false,
): Promise<void> {
  if (!(await amendTable(lake, resource, { operation, runId: run.id }, amend))) return
  await checkpointIfDue(lake, resource, writer, run.folder, isCheckpointDue)
}
