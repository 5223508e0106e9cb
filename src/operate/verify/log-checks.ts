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
export function logCheck(
  table: TableView,
  path: string,
  displayPath: (path: string) => string,
): Check | undefined {
  const name = basename(path)
  const file = displayPath(path)
  const entry = versionOfFile(name, 'entry')
  if (entry !== undefined) return { isNeeded: true, bytes: () => checkEntry(table, entry, file) }
  const snapshotVersion = versionOfFile(name, 'snapshot')
  if (snapshotVersion !== undefined)
    return { isNeeded: false, bytes: () => checkSnapshotFile(table, snapshotVersion, file) }
  const checkpointVersion = versionOfFile(name, 'checkpoint')
  if (checkpointVersion !== undefined)
    return { isNeeded: false, bytes: () => checkParquet(table, checkpointVersion, file) }
  if (name === '_last_checkpoint') return { isNeeded: false, bytes: () => checkPointer(table, path, file) }
  return undefined
}

async function checkEntry({ folder }: TableView, version: number, file: string): Promise<readonly Finding[]> {
  try {
    const text = await readEntry(folder, version)
    if (text === undefined) return []
    readEntryActions(text, logEntryPath(folder, version))
    return []
  } catch (error) {
    return [fault({ kind: 'log entry', file, what: sentenceOf(error), repair: repairs.fromCopy })]
  }
}

const damaged = (file: string, what: string): readonly Finding[] => [
  fault({ kind: 'checkpoint', file, what, repair: repairs.anew }),
]

async function checkSnapshotFile(
  table: TableView,
  version: number,
  file: string,
): Promise<readonly Finding[]> {
  const checkpoint = await readCheckpoint(snapshotPath(table.folder, version)).catch(() => undefined)
  if (checkpoint === undefined) return damaged(file, 'It is not as it was written; readers pass it over.')
  if (!table.entries.includes(version))
    return [
      fault({
        ...{ kind: 'log entry', file: join(dirname(file), entryName(version)) },
        ...{ what: 'It is missing although a checkpoint of its version is there.', repair: repairs.fromCopy },
      }),
    ]
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
  if (checkpoint.parquet === undefined)
    return [
      note({
        ...{ kind: 'checkpoint', file, repair: repairs.anew },
        what: 'An older build wrote it without a checksum, so it cannot be verified.',
      }),
    ]
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
