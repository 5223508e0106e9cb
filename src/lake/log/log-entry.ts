import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { fail, isPassing, systemWordsOf } from '../../base/errors.ts'
import { digestOf, errorCodeOf } from '../disk/disk.ts'
import { logEntryPath, logFolder, versionOfFile } from '../disk/layout.ts'

export const ENGINE = 'ledgerlake'

const NO_DIGEST = '0'.repeat(64)
const DIGEST = /"digest":"([0-9a-f]{64})"/

const MOST_BYTES = 2 ** 28

/** Flags for files of unknown origin: a pipe must not block, and a link must not lead elsewhere. */
export const SAFE_READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/** Reads the text of a log entry; undefined when there is none. Errors: `lake_damaged`. */
export async function readEntry(table: string, version: number): Promise<string | undefined> {
  return (await readLogFile(logEntryPath(table, version)))?.toString('utf8')
}

/** Reads the bytes of a log file; undefined when there is none. Errors: `lake_damaged`. */
export async function readLogFile(path: string): Promise<Buffer | undefined> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, SAFE_READ_FLAGS)
    const stats = await handle.stat()
    if (!stats.isFile()) refuseFile(path, 'is not a regular file')
    if (stats.size > MOST_BYTES)
      refuseFile(path, `has ${stats.size} bytes, more than the limit of ${MOST_BYTES}`)
    return await handle.readFile()
  } catch (error) {
    if (errorCodeOf(error) === 'ELOOP') refuseFile(path, 'is a symbolic link or reached by too many')
    return unlessMissing(error, path)
  } finally {
    await handle?.close()
  }
}

function refuseFile(path: string, fault: string): never {
  fail('lake_damaged', `${path} ${fault}; restore it from a copy.`)
}

/** Returns undefined for a missing file, and refuses an unreadable one as damage. */
function unlessMissing(error: unknown, path: string): undefined {
  if (errorCodeOf(error) === 'ENOENT') return undefined
  const words = systemWordsOf(error)
  if (words === undefined) throw error
  if (isPassing(error)) fail('not_ready', `${path} cannot be read now: ${words}.`, { cause: error })
  fail('lake_damaged', `${path} cannot be read: ${words}; give access to it, or restore it from a copy.`, {
    cause: error,
  })
}

/** Lists the file names in a table's log folder; empty when there is none. Errors: `lake_damaged`. */
export async function listLog(table: string): Promise<readonly string[]> {
  return await readdir(logFolder(table)).catch((error) => unlessMissing(error, logFolder(table)) ?? [])
}

/** Finds the newest version with an entry; -1 when there is none. Errors: `lake_damaged`. */
export async function newestEntry(table: string): Promise<number> {
  return (await listLog(table)).reduce(
    (newest, name) => Math.max(newest, versionOfFile(name, 'entry') ?? -1),
    -1,
  )
}

/** Refuses a log with an entry beyond the first missing version. Errors: `lake_damaged`. */
export async function refuseGap(table: string, missing: number): Promise<void> {
  const versions = (await listLog(table)).map((name) => versionOfFile(name, 'entry') ?? -1)
  const beyond = versions.find((version) => version > missing)
  if (beyond === undefined || (await readEntry(table, missing)) !== undefined) return
  fail(
    'lake_damaged',
    `${logEntryPath(table, missing)} is missing although version ${beyond} exists; restore it from a copy.`,
  )
}

/** Writes actions as lines. The member `digest` of the first line is the digest of all lines. */
export function writeActionLines(first: (digest: string) => object, actions: readonly object[]): string {
  const text = [first(NO_DIGEST), ...actions].map((action) => `${JSON.stringify(action)}\n`).join('')
  return text.replace(`"digest":"${NO_DIGEST}"`, `"digest":"${digestOf(text)}"`)
}

/** Returns the digest named in a text, without checking it; undefined when there is none. */
export function digestIn(text: string): string | undefined {
  return DIGEST.exec(text)?.[1]
}

/** Checks a text against the digest named in it; undefined when there is none. */
export function hasItsDigest(text: string): boolean | undefined {
  const named = digestIn(text)
  return named === undefined ? undefined : digestOf(text.replace(named, NO_DIGEST)) === named
}
