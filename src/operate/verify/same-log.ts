import { join } from 'node:path'
import { digestOf, hashFile } from '../../lake/disk/disk.ts'
import { logEntryPath, versionOfFile } from '../../lake/disk/layout.ts'
import { SHA256 } from '../../lake/facts/file-tags.ts'
import type { Action } from '../../lake/log/log-actions.ts'
import { digestIn, listLog, readEntry } from '../../lake/log/log-entry.ts'
import { readEntryActions } from '../../lake/log/read-actions.ts'
import { readCheckpointHead } from '../../lake/log/read-checkpoint.ts'
import type { TableView } from './table-view.ts'

/** A readable log entry and its actions. */
interface SoundEntry {
  readonly text: string
  readonly actions: readonly Action[]
}

/** Reads a log entry; undefined if it is missing or damaged. */
export async function soundEntry(table: string, version: number): Promise<SoundEntry | undefined> {
  try {
    const text = await readEntry(table, version)
    return text === undefined
      ? undefined
      : { text, actions: readEntryActions(text, logEntryPath(table, version)) }
  } catch {
    return undefined
  }
}

/** Versions with a log entry, oldest first. Errors: `lake_damaged`. */
async function versionsOf(table: string): Promise<readonly number[]> {
  const versions = (await listLog(table)).flatMap((name) => versionOfFile(name, 'entry') ?? [])
  return versions.sort((a, b) => a - b)
}

/**
 * Returns why the entry of a copy may not replace a lost one, as part of a sentence; undefined if it may. Copies may
 * have diverged, so all common entries must be equal. In addition, a later entry or remains of the lost one must prove
 * that it is the same.
 * Errors: those of a log that cannot be listed.
 */
export async function whyForeign(
  table: TableView,
  copy: string,
  version: number,
  entry: SoundEntry,
): Promise<string | undefined> {
  const theirs = new Set(await versionsOf(copy))
  const removed = new Set<string>()
  let isFollowed = false
  for (const otherVersion of await versionsOf(table.folder)) {
    const entryHere = otherVersion === version ? undefined : await soundEntry(table.folder, otherVersion)
    if (entryHere === undefined) continue
    for (const action of entryHere.actions)
      if ('remove' in action) removed.add(decodeURIComponent(action.remove.path))
    const twin = theirs.has(otherVersion) ? await soundEntry(copy, otherVersion) : undefined
    if (twin === undefined) continue
    if (digestOf(twin.text) !== digestOf(entryHere.text))
      return `version ${otherVersion} of it is another than here`
    isFollowed ||= otherVersion > version
  }
  if (isFollowed || (await isNamed(table, version, entry.text))) return undefined
  if (await hasAddedHere(table, entry, removed)) return undefined
  return `nothing here shows that version ${version} of it is the one that was lost: no later version is in both, and no file here is one that it alone added`
}

/** Returns true if the remains of the entry, or a checkpoint, have the digest of this entry. */
async function isNamed({ folder }: TableView, version: number, text: string): Promise<boolean> {
  const digestHere = digestIn((await readEntry(folder, version).catch(() => undefined)) ?? '')
  if (digestHere !== undefined && digestHere === digestIn(text)) return true
  return (await readCheckpointHead(folder, version))?.entryDigest === digestOf(text)
}

/** Returns true if this lake has a file that only the lost entry can have added. File names are never reused. */
async function hasAddedHere(
  { folder, named, log }: TableView,
  { actions }: SoundEntry,
  removed: ReadonlySet<string>,
): Promise<boolean> {
  for (const action of actions) {
    if (!('add' in action)) continue
    const path = decodeURIComponent(action.add.path)
    if (named.has(path)) continue
    if (removed.has(path) || log?.live.has(path) || log?.removed.has(path)) return true
    if ((await hashFile(join(folder, path)).catch(() => '')) === action.add.tags?.[SHA256]) return true
  }
  return false
}
