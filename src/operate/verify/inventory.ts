import { readdir, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { sentenceOf } from '../../base/errors.ts'
import { resourceNamed } from '../../catalog/resources.ts'
import type { Derived, DerivedFile } from '../../index/maintenance/derived.ts'
import { logFolderOf } from '../../keys/counting/log-files.ts'
import { secretFileOf } from '../../keys/share-secret.ts'
import { usageFileOf } from '../../keys/usage-file.ts'
import { isInside } from '../../lake/disk/disk.ts'
import {
  isDataFilePath,
  isFactsPath,
  logFolder,
  stagingFolder,
  versionOfFile,
} from '../../lake/disk/layout.ts'
import type { ContentReader } from '../../lake/ports/content-reader.ts'
import { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { fileAt, filesBelow, type WalkedFile } from './files-below.ts'
import { readTable, type TableView } from './table-view.ts'

/** Folders and files to verify. */
export interface Target {
  readonly lake: string
  readonly state: string
  readonly keyFile: string
  readonly derived: readonly Derived[]
  /** Opens the reader; called for the first file whose rows are read. */
  readonly openReader: () => Promise<ContentReader & { close(): Promise<void> }>
}

/** All files, and the tables that their logs describe. */
export interface Inventory {
  readonly target: Target
  readonly files: readonly WalkedFile[]
  /** Unreadable folders with the reason; `files` lacks their content. */
  readonly unlisted: ReadonlyMap<string, string>
  readonly tables: readonly TableView[]
  /** Names of tables with files but without a log entry. */
  readonly withoutLog: readonly string[]
  /** Names of tables whose files all belong to running ingests, before the first commit. */
  readonly unfinished: readonly string[]
  /** Snapshot of the tables with readable logs. */
  readonly at: Snapshot
  readonly derived: ReadonlyMap<string, DerivedFile>
  /** Returns a path as in findings. */
  readonly displayPath: (path: string) => string
}

/** Lists the files before it reads the logs, so that a concurrent commit does not look like a leftover. */
export async function takeInventory(target: Target): Promise<Inventory> {
  const { lake } = target
  const unlisted = new Map<string, string>()
  const files = await listFiles(target, (folder, error) => unlisted.set(folder, sentenceOf(error)))
  // List staged files before the logs: a file that is no longer staged has been committed, or is gone.
  const held = await heldBelow(lake)
  const paths = [
    ...files.map(({ path }) => path),
    ...[...unlisted.keys()].map((folder) => join(folder, 'any')),
  ]
  const tables: TableView[] = []
  const withoutLog: string[] = []
  const unfinished: string[] = []
  for (const name of [...new Set(paths.flatMap((path) => tableOf(lake, path) ?? []))].sort()) {
    const folder = join(lake, name)
    const inLog = await readdir(logFolder(folder)).catch(() => undefined)
    const isUnlisted = unlisted.has(folder) || unlisted.has(logFolder(folder))
    if (isUnlisted || (inLog ?? []).length > 0) tables.push(await readTable(lake, name))
    const hasEntry = isUnlisted || inLog?.some((file) => versionOfFile(file, 'entry') !== undefined)
    if (hasEntry || resourceNamed(name) === undefined) continue
    const isUnfinished = inLog?.length === 0 && areHeld(folder, paths, held)
    ;(isUnfinished ? unfinished : withoutLog).push(name)
  }
  const at = new Snapshot(tables.flatMap((table) => table.at ?? []))
  const displayPath = (path: string) => (isInside(lake, path) ? relative(lake, path) : path)
  const derived = await derivedFiles(target, at)
  return { target, files, unlisted, tables, withoutLog, unfinished, at, derived, displayPath }
}

/** Returns the staged files of running ingests, as paths in the lake. */
async function heldBelow(lake: string): Promise<ReadonlySet<string>> {
  const staging = stagingFolder(lake)
  const held = await filesBelow(staging, () => {})
  return new Set(held.map(({ path }) => join(lake, ...relative(staging, path).split('/').slice(1))))
}

/** Returns true if the folder has data files or facts, all of them of running ingests. */
function areHeld(folder: string, paths: readonly string[], held: ReadonlySet<string>): boolean {
  const tableFiles = paths.filter((path) => {
    const name = relative(folder, path)
    return isDataFilePath(name) || isFactsPath(name)
  })
  return tableFiles.length > 0 && tableFiles.every((path) => held.has(path))
}

async function listFiles(
  { lake, state, keyFile }: Target,
  onUnlisted: (folder: string, error: unknown) => void,
): Promise<readonly WalkedFile[]> {
  const files: WalkedFile[] = []
  for (const file of await filesBelow(lake, onUnlisted)) {
    // State folder and key folder may be symbolic links.
    const isOurs = [state, dirname(keyFile)].includes(file.path)
    const isFolder = isOurs && (await stat(file.path).catch(() => undefined))?.isDirectory()
    files.push(...(isFolder ? await filesBelow(file.path, onUnlisted) : [file]))
  }
  if (!isInside(lake, state)) files.push(...(await filesBelow(state, onUnlisted)))
  if (!isInside(lake, keyFile)) {
    // Other files next to the key file are not ours.
    for (const path of [keyFile, usageFileOf(keyFile), secretFileOf(keyFile)])
      files.push(...(await fileAt(path)))
    files.push(...(await filesBelow(logFolderOf(keyFile), onUnlisted)))
  }
  return files
}

/** Returns the name of the table whose folder has the file. */
function tableOf(lake: string, path: string): string | undefined {
  if (!isInside(lake, path)) return undefined
  const [name = '', ...rest] = relative(lake, path).split('/')
  return rest.length === 0 || /^[._]/.test(name) ? undefined : name
}

/** Looks up all derived files. Repeated checks call it again, because a derived file caches its comparison. */
export async function derivedFiles(
  { derived }: Target,
  at: Snapshot,
): Promise<ReadonlyMap<string, DerivedFile>> {
  const byPath = new Map<string, DerivedFile>()
  for (const derivation of derived) for (const file of await derivation.files(at)) byPath.set(file.path, file)
  return byPath
}
