import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, readdir, rmdir } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fail, sentenceOf } from '../../base/errors.ts'
import { hasCode, hashFile, isMissing, makeFolder, moveInto, replaceFile } from '../../lake/disk/disk.ts'
import { isDataFilePath, logEntryPath } from '../../lake/disk/layout.ts'
import { filesBelow } from './files-below.ts'
import { listed } from './finding.ts'
import { soundEntry, whyForeign } from './same-log.ts'
import { type NamedFile, readTable, type TableView } from './table-view.ts'

/** Returns the copies of a lake in a folder: the folder itself, or the backups in it, newest first. */
export async function copiesIn(folder: string, tables: readonly string[]): Promise<readonly string[]> {
  const names = await readdir(folder).catch((cause) =>
    fail('malformed_request', `--from ${folder} cannot be read: ${sentenceOf(cause)}.`, { cause }),
  )
  if (names.some((name) => tables.includes(name))) return [folder]
  const backups = names.filter((name) => /^\d{4,9}-/.test(name)).sort()
  return backups.reverse().map((name) => join(folder, name))
}

/** Folders of copies, newest first, and a folder for temporary files. */
export interface CopySource {
  readonly copies: readonly string[]
  readonly scratch: string
}

/** Replaces a file by a copy with the logged digest; returns false if no copy has one. */
export async function restoreData(
  table: TableView,
  path: string,
  { bytes, sha256 }: NamedFile,
  { copies, scratch }: CopySource,
): Promise<boolean> {
  const to = join(table.folder, path)
  for (const copy of copies) {
    const first = join(copy, table.name, path)
    const otherPaths = (await filesBelow(join(copy, table.name), () => {})).map((file) => file.path)
    for (const from of [first, ...otherPaths.filter((path) => basename(path) !== basename(first))]) {
      const facts = await lstat(from).catch(() => undefined)
      if (facts?.isFile() !== true || facts.size !== bytes) continue
      const temporary = join(scratch, 'copied')
      await pipeline(createReadStream(from), createWriteStream(temporary, { flush: true }))
      if ((await hashFile(temporary)) !== sha256) continue
      await makeFolder(dirname(to))
      await makePlace(to)
      await moveInto(temporary, to)
      return true
    }
  }
  return false
}

/**
 * Restores a log entry from a copy of the same log. Returns why each copy was refused, as parts of a sentence; empty if
 * the entry is restored. Errors: those of the file system.
 */
export async function restoreEntry(
  table: TableView,
  version: number,
  { copies, scratch }: CopySource,
): Promise<readonly string[]> {
  // The entry may be readable again.
  if ((await soundEntry(table.folder, version)) !== undefined) return []
  const reasons: string[] = []
  for (const copy of copies) {
    const from = join(copy, table.name)
    const entry = await soundEntry(from, version)
    const reason =
      entry === undefined ? 'it is not there, or damaged' : await whyForeign(table, from, version, entry)
    if (entry !== undefined && reason === undefined) {
      await putEntry(table.folder, version, entry.text, scratch)
      return []
    }
    reasons.push(`in ${from} ${reason}`)
  }
  return reasons
}

/** Restores a missing log from a copy whose log names every existing data file. Returns the same as `restoreEntry`. */
export async function restoreLog(
  lake: string,
  name: string,
  { copies, scratch }: CopySource,
): Promise<readonly string[]> {
  const reasons: string[] = []
  const folder = join(lake, name)
  for (const copy of copies) {
    const from = await readTable(copy, name)
    const reason = await whyOther(folder, from)
    if (reason !== undefined) {
      reasons.push(`in ${from.folder} ${reason}`)
      continue
    }
    // Write the oldest entry last. Until it exists, no reader takes an older version for the newest.
    for (const version of [...from.entries].reverse()) {
      const entry = await soundEntry(from.folder, version)
      if (entry === undefined)
        throw new Error(`${logEntryPath(from.folder, version)} cannot be read any more`)
      await putEntry(folder, version, entry.text, scratch)
    }
    return []
  }
  return reasons
}

async function putEntry(table: string, version: number, text: string, scratch: string): Promise<void> {
  const path = logEntryPath(table, version)
  await makePlace(path)
  await replaceFile(path, text, join(scratch, 'copied'))
}

/** Removes an empty folder at the path of a file. Errors: Error if the folder is not empty. */
async function makePlace(path: string): Promise<void> {
  await rmdir(path).catch((error) => {
    if (hasCode(error, ['ENOTEMPTY', 'EEXIST']))
      throw new Error(`a folder with other files is in the place of ${path}; move it away`)
    if (!isMissing(error)) throw error
  })
}

/**
 * Returns why a log does not belong to the files of a folder; undefined if it names all of them and one has the named
 * digest.
 */
async function whyOther(folder: string, { isWhole, named }: TableView): Promise<string | undefined> {
  if (!isWhole) return 'the log is missing or damaged'
  const files = (await filesBelow(folder)).map(({ path }) => relative(folder, path)).filter(isDataFilePath)
  const unnamed = files.filter((path) => !named.has(path))
  if (unnamed.length > 0)
    return `the log does not name ${listed(unnamed)}; move such files out of the lake, and ingest their sources again afterwards`
  for (const path of files)
    if ((await hashFile(join(folder, path)).catch(() => '')) === named.get(path)?.sha256) return undefined
  return 'no file has the digest of one here'
}
