import { readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fail } from '../../base/errors.ts'
import { hashFile, isPresent, makeFolder, moveInto, replaceFile, syncFolder } from '../../lake/disk/disk.ts'
import { defaultKeyFile, keptFolder, restoredFolder } from '../../lake/disk/layout.ts'
import { readOriginMark } from '../../lake/disk/origin-mark.ts'
import { waitForCommits } from '../../lake/runs/commit-sign.ts'
import { withTablesAlone } from '../../lake/runs/tables-alone.ts'
import { keptInFolder } from '../../lake/vacuum/kept-records.ts'
import { copyKept } from './copy-kept.ts'
import { copyKeys, copyKeysNeeded } from './copy-keys.ts'
import { copyLake } from './copy-lake.ts'
import { namesIn, refuseIncomplete, refuseOneInOther, visibleNames } from './folder-checks.ts'
import { type BackupNote, listBackups, notePath, readNote } from './generations.ts'
import { type TableContent, tableNames } from './table-content.ts'

export interface RestoreRequest {
  /** One backup, or a folder of backups, whose newest is restored. */
  readonly from: string
  readonly lake: string
  /** Replaces existing tables. */
  readonly replace?: boolean
  /** Target of the backup's key file; default: keys are not restored. */
  readonly keyFile?: string | undefined
  readonly onProgress?: (bytes: number, of: number) => void
}

export interface RestoreSummary extends BackupNote {
  /** Folder that now has the replaced tables; undefined if there were none. */
  readonly replaced: string | undefined
}

const RESTORING = '_restoring'

/**
 * Restores a backup: copies and verifies it next to the existing tables, then moves its tables into place. Running it
 * again resumes an interrupted restore.
 * Errors: `malformed_request` if the folder has data and `replace` is not given, `not_ready`, `lake_damaged`,
 * `lake_unwritable`.
 */
export async function restoreBackup(request: RestoreRequest): Promise<RestoreSummary> {
  const { from, lake } = request
  const backup = await newestOf(from)
  const note = await readNote(backup)
  if (note === undefined) fail('not_ready', `${from} is neither a backup nor a folder of backups; name one.`)
  await refuseOneInOther({ what: 'backup', path: from }, { what: 'lake', path: lake })
  const mark = readOriginMark(lake)
  if (mark !== undefined)
    fail('malformed_request', `${lake} is a copy of ${mark.url}; restore to a folder that is none.`)
  await refuseKeys(request, backup, note)
  await refuseData(request, note)
  const run = makeFolder(lake).then(() =>
    withTablesAlone(lake, (scratch) => restore(request, backup, note, scratch), 0),
  )
  return await run.catch(refuseIncomplete(`restore to ${lake}`, 'The backup is as it was'))
}

async function newestOf(from: string): Promise<string> {
  if ((await readNote(from)) !== undefined) return from
  if ((await namesIn(from)).length === 0)
    fail('not_ready', `There is no backup at ${from}; name another folder.`)
  const newest = (await listBackups(from)).at(-1)
  if (newest !== undefined) return join(from, newest)
  return fail('not_ready', `${from} has no complete backup; take one with: ledgerlake backup --to ${from}`)
}

async function refuseKeys(
  { keyFile, lake }: RestoreRequest,
  backup: string,
  note: BackupNote,
): Promise<void> {
  if (keyFile === undefined) return
  if (!note.hasKeys)
    fail('malformed_request', `The backup ${note.name} has no keys; it was taken without --with-keys.`)
  // An interrupted restore may have put the key file there.
  const isOwn =
    (await isPresent(restoredFolder(lake))) &&
    (await hashFile(keyFile).catch(() => '')) === (await hashFile(defaultKeyFile(backup)))
  if (!isOwn && (await isPresent(keyFile)))
    fail(
      'malformed_request',
      `There is a key file at ${keyFile} already; leave --with-keys out, or move it away.`,
    )
}

async function refuseData({ lake, replace }: RestoreRequest, note: BackupNote): Promise<void> {
  const names = await namesIn(lake)
  const logged = names.length === 0 ? [] : await tableNames(lake)
  // A table's folder may lack a log: the log was lost, or an ingest stopped before its first commit.
  const tablesExpected = new Set([...logged, ...note.tables.map(({ name }) => name)])
  const tables = names.filter((name) => tablesExpected.has(name))
  const foreignName = visibleNames(names).find((name) => !tables.includes(name))
  if (foreignName !== undefined)
    fail(
      'malformed_request',
      `${lake} has other things, such as ${foreignName}; use an empty folder or a lake.`,
    )
  const unfinished = await readNote(restoredFolder(lake))
  if (unfinished !== undefined && unfinished.name !== note.name)
    fail(
      'malformed_request',
      `A restore of ${unfinished.name} to ${lake} is not complete; finish it with --from naming that backup.`,
    )
  if (tables.length === 0 || replace || unfinished !== undefined) return
  fail(
    'malformed_request',
    `${lake} is a lake with data, such as ${tables[0]}; use another folder, or --replace to put the tables of the backup in the place of those that are there.`,
  )
}

async function restore(
  { lake, keyFile, onProgress }: RestoreRequest,
  backup: string,
  note: BackupNote,
  scratch: string,
): Promise<RestoreSummary> {
  const restored = restoredFolder(lake)
  if ((await readNote(restored)) === undefined) {
    await rm(restored, { recursive: true, force: true })
    const staged = join(lake, RESTORING)
    await makeFolder(staged)
    const versions = new Map(note.tables.map(({ name, version }) => [name, version]))
    const request = { from: backup, to: staged, earlier: undefined, scratch, versions, onProgress }
    const { tables } = await copyLake(request)
    refuseChanged(backup, tables, note)
    await copyKept(await keptInFolder(backup).read(), staged)
    // The records of replaced tables move aside, also if the backup has none.
    if (await isPresent(keptFolder(lake))) await makeFolder(keptFolder(staged))
    await replaceFile(notePath(staged), `${JSON.stringify(note, null, 2)}\n`, join(scratch, 'note'))
    await copyKeysNeeded(backup, lake)
    // From here on no process opens the lake until the tables of the backup are in place.
    await moveInto(staged, restored)
  }
  await waitForCommits(lake)
  const replaced = await putInPlace(lake, note)
  if (keyFile !== undefined) await copyKeys(defaultKeyFile(backup), keyFile, scratch)
  // The rename reopens the lake; the scratch folder is removed later as a whole.
  await rename(restored, join(scratch, 'done'))
  await syncFolder(lake)
  return { ...note, replaced }
}

function refuseChanged(backup: string, tables: readonly TableContent[], note: BackupNote): void {
  const changedTable = note.tables.find((noted) => {
    const copied = tables.find(({ name }) => name === noted.name)
    return copied?.digest !== noted.digest || copied.log !== noted.log
  })
  if (changedTable === undefined) return
  fail(
    'lake_damaged',
    `The log of ${changedTable.name} in ${backup} is not as it was when the backup was taken; use another backup.`,
  )
}

/**
 * Moves existing tables and records of kept snapshots aside, and the restored ones into place. A table moved before an interruption is no longer
 * staged.
 */
async function putInPlace(lake: string, note: BackupNote): Promise<string | undefined> {
  const restored = restoredFolder(lake)
  const records = basename(keptFolder(lake))
  const staged = [
    ...(await tableNames(restored)),
    ...(await namesIn(restored)).filter((name) => name === records),
  ]
  const noteTables = new Set(note.tables.map(({ name }) => name))
  const tables = await tableNames(lake)
  // The folder of an unfinished ingest has no log and would block the rename.
  const replacedNames = (await namesIn(lake)).filter(
    (name) => staged.includes(name) || (tables.includes(name) && !noteTables.has(name)),
  )
  let replaced: string | undefined
  for (const name of replacedNames) {
    replaced ??= await freeFolder(lake, replacedNames)
    await makeFolder(replaced)
    await rename(join(lake, name), join(replaced, name))
  }
  for (const name of staged) await rename(join(restored, name), join(lake, name))
  await syncFolder(lake)
  return replaced
}

async function freeFolder(lake: string, names: readonly string[]): Promise<string> {
  for (let number = 1; ; number += 1) {
    const folder = join(lake, `_replaced-${number}`)
    const there = await readdir(folder).catch(() => [])
    if (!there.some((name) => names.includes(name))) return folder
  }
}
