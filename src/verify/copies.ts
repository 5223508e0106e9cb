import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { digestOf, hashFile, makeFolder, moveInto, replaceFile } from '../lake/disk.ts'
import { SHA256 } from '../lake/file-tags.ts'
import { logEntryPath, versionOfFile } from '../lake/layout.ts'
import { listLog, readEntry } from '../lake/log-entry.ts'
import { readEntryActions } from '../lake/read-actions.ts'
import type { NamedFile, TableView } from './table-view.ts'
import { filesBelow } from './walk.ts'

/** Other copies of a lake: the folder given, if it is one, or the backups in it, the newest first. */
export async function copiesIn(folder: string, tables: readonly string[]): Promise<readonly string[]> {
  const names = await readdir(folder)
  if (names.some((name) => tables.includes(name))) return [folder]
  const backups = names.filter((name) => /^\d{4,9}-/.test(name)).sort()
  return backups.reverse().map((name) => join(folder, name))
}

/** Copies a file with the digest that the log names into its place; false when no copy has it. */
export async function restoreData(
  table: TableView,
  path: string,
  { bytes, sha256 }: NamedFile,
  copies: readonly string[],
  scratch: string,
): Promise<boolean> {
  const to = join(table.folder, path)
  for (const copy of copies) {
    const first = join(copy, table.name, path)
    const others = (await filesBelow(join(copy, table.name))).map((file) => file.path)
    for (const from of [first, ...others.filter((other) => basename(other) !== basename(first))]) {
      const facts = await lstat(from).catch(() => undefined)
      if (facts?.isFile() !== true || facts.size !== bytes) continue
      const temporary = join(scratch, 'copied')
      await pipeline(createReadStream(from), createWriteStream(temporary, { flush: true }))
      if ((await hashFile(temporary)) !== sha256) continue
      await makeFolder(dirname(to))
      await moveInto(temporary, to)
      return true
    }
  }
  return false
}

/** Copies a log entry into its place from a copy whose log is the same where both can be read; false when there is none. */
export async function restoreEntry(
  table: TableView,
  version: number,
  copies: readonly string[],
  scratch: string,
): Promise<boolean> {
  // What could not be read for a moment is there.
  if ((await soundEntry(table.folder, version)) !== undefined) return true
  for (const copy of copies) {
    const from = join(copy, table.name)
    const text = await soundEntry(from, version)
    if (text === undefined || !(await isSameLog(table, from, version, text))) continue
    const bytes = await readFile(logEntryPath(from, version))
    await replaceFile(logEntryPath(table.folder, version), bytes, join(scratch, 'copied'))
    return true
  }
  return false
}

async function soundEntry(table: string, version: number): Promise<string | undefined> {
  try {
    const text = await readEntry(table, version)
    if (text !== undefined) readEntryActions(text, logEntryPath(table, version))
    return text
  } catch {
    return undefined
  }
}

/** Entries that both have are the same, or where there is no other one, the entry names a file that is here. */
async function isSameLog(table: TableView, copy: string, version: number, text: string): Promise<boolean> {
  const versions = (await listLog(copy)).flatMap((name) => versionOfFile(name, 'entry') ?? [])
  let common = 0
  for (const other of versions.filter((own) => own !== version && table.entries.includes(own))) {
    const [ours, theirs] = [await soundEntry(table.folder, other), await soundEntry(copy, other)]
    if (ours === undefined || theirs === undefined) continue
    if (digestOf(ours) !== digestOf(theirs)) return false
    common += 1
  }
  return common > 0 || (await namesFileOf(table, text))
}

async function namesFileOf({ folder }: TableView, text: string): Promise<boolean> {
  for (const action of readEntryActions(text, folder)) {
    if (!('add' in action)) continue
    const path = join(folder, decodeURIComponent(action.add.path))
    if ((await hashFile(path).catch(() => '')) === action.add.tags?.[SHA256]) return true
  }
  return false
}
