import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { sentenceOf } from '../../base/errors.ts'
import { hashFile } from '../../lake/disk/disk.ts'
import { checkpointPath, logEntryPath, snapshotPath, versionOfFile } from '../../lake/disk/layout.ts'
import { pointerTo } from '../../lake/log/checkpoint.ts'
import { readEntry } from '../../lake/log/log-entry.ts'
import { readEntryActions } from '../../lake/log/read-actions.ts'
import { checkpointVersions, readCheckpoint } from '../../lake/log/read-checkpoint.ts'
import type { Check } from './check.ts'
import { type Finding, fault, note, repairs } from './finding.ts'
import { entryName, stateDigest, type TableView } from './table-view.ts'

/** Returns the check of a file in a log folder; undefined for any other file. */
export function logCheck(table: TableView, path: string, file: string): Check | undefined {
  const name = basename(path)
  const check = (isNeeded: boolean, bytes: Check['bytes']): Check => ({ isNeeded, bytes })
  const entry = versionOfFile(name, 'entry')
  if (entry !== undefined) return check(true, () => checkEntry(table, entry, file))
  const snapshot = versionOfFile(name, 'snapshot')
  if (snapshot !== undefined) return check(false, () => checkSnapshotFile(table, snapshot, file))
  const checkpoint = versionOfFile(name, 'checkpoint')
  if (checkpoint !== undefined) return check(false, () => checkParquet(table, checkpoint, file))
  return name === '_last_checkpoint' ? check(false, () => checkPointer(table, path, file)) : undefined
}

async function checkEntry({ folder }: TableView, version: number, file: string): Promise<readonly Finding[]> {
  try {
    const text = await readEntry(folder, version)
    if (text === undefined) return []
    readEntryActions(text, logEntryPath(folder, version))
    return []
  } catch (error) {
    return [fault('log entry', file, sentenceOf(error), repairs.fromCopy)]
  }
}

const damaged = (file: string, what: string): readonly Finding[] => [
  fault('checkpoint', file, what, repairs.anew),
]

async function checkSnapshotFile(
  table: TableView,
  version: number,
  file: string,
): Promise<readonly Finding[]> {
  const checkpoint = await readCheckpoint(snapshotPath(table.folder, version)).catch(() => undefined)
  if (checkpoint === undefined) return damaged(file, 'It is not as it was written; readers pass it over.')
  if (!table.entries.includes(version)) {
    const what = 'It is missing although a checkpoint of its version is there.'
    return [fault('log entry', join(dirname(file), entryName(version)), what, repairs.fromCopy)]
  }
  const expectedState = table.states.get(version)
  if (
    checkpoint.log.version !== version ||
    (expectedState !== undefined && stateDigest(checkpoint.log) !== expectedState)
  )
    return damaged(file, 'It does not say what the entries up to its version say.')
  return []
}

/** Other programs read the Parquet checkpoint. Its digest is in our checkpoint of the same version. */
async function checkParquet(
  { folder }: TableView,
  version: number,
  file: string,
): Promise<readonly Finding[]> {
  const checkpoint = await readCheckpoint(snapshotPath(folder, version)).catch(() => undefined)
  if (checkpoint === undefined)
    return damaged(file, 'The checkpoint that has its digest is missing or damaged.')
  const unsure = 'An older build wrote it without a checksum, so it cannot be verified.'
  if (checkpoint.parquet === undefined) return [note('checkpoint', file, unsure, repairs.anew)]
  const actual = await hashFile(checkpointPath(folder, version))
  return actual === checkpoint.parquet
    ? []
    : damaged(file, 'It is not as it was written; other programs may read it.')
}

async function checkPointer({ folder }: TableView, path: string, file: string): Promise<readonly Finding[]> {
  const text = await readFile(path, 'utf8')
  const version = Number(/"version":(\d{1,15})\D/.exec(text)?.[1] ?? -1)
  const [newest] = await checkpointVersions(folder)
  const checkpoint = await readCheckpoint(snapshotPath(folder, version)).catch(() => undefined)
  if (checkpoint !== undefined && version === newest && pointerTo(checkpoint.log) === text) return []
  return damaged(file, 'It does not name the newest checkpoint, and how many actions that has.')
}
