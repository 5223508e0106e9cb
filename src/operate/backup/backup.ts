import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fail, sentenceOf } from '../../base/errors.ts'
import { version } from '../../base/version.ts'
import { resourceNamed } from '../../catalog/resources.ts'
import { makeFolder, replaceFile, syncFolder } from '../../lake/disk/disk.ts'
import { defaultKeyFile } from '../../lake/disk/layout.ts'
import { changeAlone } from '../../lake/runs/change-alone.ts'
import { openLake } from '../../lake/snapshot/lake.ts'
import { writeSnapshotId } from '../../lake/snapshot/snapshot-id.ts'
import { type KeptRecords, keptInFolder } from '../../lake/vacuum/kept-records.ts'
import { copyKept, stillKept } from './copy-kept.ts'
import { copyKeys, copyKeysNeeded } from './copy-keys.ts'
import { copyLake, type LakeCopy } from './copy-lake.ts'
import { refuseIncomplete, refuseOneInOther } from './folder-checks.ts'
import {
  type BackupNote,
  listBackups,
  nextName,
  notePath,
  readNote,
  removeOlder,
  UNFINISHED,
} from './generations.ts'
import type { TableContent } from './table-content.ts'

export interface BackupRequest {
  readonly lake: string
  /** Folder of backups. */
  readonly to: string
  /** The key file to copy; default: none. */
  readonly keyFile?: string | undefined
  /** Records of kept snapshots; default: those in the folder of the lake. */
  readonly kept?: KeptRecords
  readonly link?: boolean
  /** Verifies files that older backups already have. */
  readonly verify?: boolean
  /** Number of backups to keep, including this one; default: all. */
  readonly keep?: number | undefined
  readonly now?: Date
  readonly onProgress?: (bytes: number, of: number) => void
}

export interface BackupSummary extends BackupNote {
  /** Folder of the backup. */
  readonly folder: string
  readonly files: LakeCopy['files']
  readonly restarts: number
  /** Files of the older backup that are damaged; this backup has new copies. */
  readonly damaged: readonly string[]
  /** Names of older backups that were removed. */
  readonly removed: readonly string[]
}

/**
 * Takes a backup of the newest snapshot: a complete lake in the folder of backups, renamed into place when finished.
 * Copies no file that an interrupted or an older backup already has.
 * Errors: `malformed_request`, `not_ready`, `lake_damaged`, `lake_unwritable`; older backups stay unchanged.
 */
export async function takeBackup(request: BackupRequest): Promise<BackupSummary> {
  const { lake, to } = request
  await openLake(lake)
  await refuseOneInOther({ what: 'lake', path: lake }, { what: 'folder of backups', path: to })
  await listBackups(to)
  const safe = 'Older backups are as they were'
  const run = makeFolder(to).then(() =>
    changeAlone(join(to, '_backup'), (scratch) => backUp(request, scratch), 0),
  )
  return await run.catch(refuseIncomplete(`backup to ${to}`, safe))
}

async function backUp(request: BackupRequest, scratch: string): Promise<BackupSummary> {
  const { lake, to, keyFile, link = false, verify = false, keep, now = new Date(), onProgress } = request
  const { kept = keptInFolder(lake) } = request
  const names = await listBackups(to)
  const last = names.at(-1)
  const earlier = last === undefined ? undefined : join(to, last)
  const unfinished = join(to, UNFINISHED)
  await makeFolder(unfinished)
  const damaged: string[] = []
  const keptBefore = await kept.read()
  const { tables, files, restarts } = await copyLake({
    ...{ from: lake, to: unfinished, earlier, scratch, link, verify },
    ...{ onProgress, onDamaged: (path: string) => damaged.push(path) },
    async check(found) {
      if (found.length === 0) fail('not_ready', `The lake ${lake} is empty; there is nothing to back up.`)
      if (earlier !== undefined) refuseOther(to, found, await readNote(earlier))
    },
  })
  await copyKept(await stillKept(keptBefore, kept), unfinished)
  await copyKeysNeeded(lake, unfinished)
  // An interrupted backup may have copied keys.
  await rm(dirname(defaultKeyFile(unfinished)), { recursive: true, force: true })
  if (keyFile !== undefined) await copyKeys(keyFile, defaultKeyFile(unfinished), scratch)
  const note: BackupNote = {
    ...{ backup: 1, name: nextName(names, now), takenAt: now.toISOString(), program: version },
    ...{ snapshot: snapshotOf(tables), tables: tables.map(noteOf), hasKeys: keyFile !== undefined },
  }
  await replaceFile(notePath(unfinished), `${JSON.stringify(note, null, 2)}\n`, join(scratch, 'note'))
  const folder = join(to, note.name)
  await syncFolder(unfinished)
  await rename(unfinished, folder)
  await syncFolder(to)
  const removed = keep === undefined ? [] : await removeOlder(to, keep).catch(refuseKept)
  return { ...note, folder, files, restarts, damaged, removed }
}

function refuseKept(cause: unknown): never {
  fail(
    'lake_unwritable',
    `The new backup is complete, but older ones could not be removed: ${sentenceOf(cause)}. Give access, or remove them.`,
    { cause },
  )
}

/** Returns the id that a server gives to the snapshot. */
function snapshotOf(tables: readonly TableContent[]): string {
  const declared = tables.filter(({ name }) => resourceNamed(name) !== undefined)
  return writeSnapshotId(declared.map((table) => ({ ...table, resource: { name: table.name } })))
}

function noteOf({ name, id, version, digest, log, files }: TableContent): BackupNote['tables'][number] {
  const live = [...files.values()].filter(({ isLive }) => isLive)
  const bytes = live.reduce((sum, file) => sum + file.bytes, 0)
  return { name, id, version, digest, log, files: live.length, bytes }
}

/** Throws for backups of another lake: two lakes in one folder could be confused. */
function refuseOther(to: string, tables: readonly TableContent[], note: BackupNote | undefined): void {
  const common = tables.flatMap(({ name, id }) => {
    const noted = note?.tables.find((table) => table.name === name)
    return noted === undefined ? [] : [noted.id === id]
  })
  if (common.length === 0 || common.includes(true)) return
  fail('malformed_request', `${to} has backups of another lake; use a folder of its own for each lake.`)
}
