import { fail } from '../../base/errors.ts'
import type { Resource } from '../../catalog/resource.ts'
import { stagingFolder } from '../../lake/disk/layout.ts'
import { readOriginMark } from '../../lake/disk/origin-mark.ts'
import { checkWritable, refuseUnwritable } from '../../lake/disk/unwritable.ts'
import { checkpointIfDue } from '../../lake/log/checkpoint.ts'
import type { FileWriter } from '../../lake/ports/file-writer.ts'
import type { OpenWriter } from '../../lake/ports/open-writer.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { type Amendment, amendTable } from './amend-table.ts'
import type { Remote } from './remote.ts'
import { openStagingRun, type StagingRun } from './staging.ts'

/** Lake, writer and staging folder of a run. `Writer` has the methods that the caller needs. */
export interface Store<Writer = unknown> {
  readonly lake: string
  readonly writer: Writer & FileWriter
  readonly run: StagingRun
  readonly remote?: Remote | undefined
}

export interface StoreRequest<Writer> {
  readonly lake: string
  readonly openWriter: OpenWriter<Writer & FileWriter>
  /** The remote where commits take effect, if the folder is a copy. */
  readonly remote?: Remote | undefined
}

/**
 * Runs `work` with a writer and a staging folder, and closes both. Errors: `lake_unwritable`, also for a copy without
 * its remote.
 */
export async function withStore<T, Writer>(
  { lake, openWriter, remote }: StoreRequest<Writer>,
  work: (store: Store<Writer>) => Promise<T>,
): Promise<T> {
  refuseCopies(lake, remote)
  await checkWritable(stagingFolder(lake)).catch((error) => refuseUnwritable(error, lake))
  const run = await openStagingRun(lake)
  try {
    const writer = await openWriter(run.folder)
    try {
      return await work({ lake, writer, run, remote })
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
 * Changes a table by `amendTable`; after a commit writes a checkpoint if one is due or `isCheckpointDue` is true.
 * Errors: those of `amendTable`.
 */
export async function commitAmendment(
  { lake, writer, run, remote }: Store,
  resource: Resource,
  operation: string,
  amend: (table: TableSnapshot) => Promise<Amendment>,
  isCheckpointDue = false,
): Promise<void> {
  if (!(await amendTable(lake, resource, { operation, runId: run.id }, amend, remote))) return
  await checkpointIfDue(lake, resource, writer, run.folder, isCheckpointDue)
}

/** Throws for a copy without its remote: a local commit would break the replication. */
function refuseCopies(lake: string, remote: Remote | undefined): void {
  const mark = readOriginMark(lake)
  if (mark?.url === remote?.url) return
  fail('lake_unwritable', `${lake} is a copy of ${mark?.url}; commits are made there.`)
}
