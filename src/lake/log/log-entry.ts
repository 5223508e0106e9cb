import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { fail, isPassing, systemWordsOf } from '../../base/errors.ts'
import { digestOf, errorCodeOf } from '../disk/disk.ts'
import { logEntryPath, logFolder, versionOfFile } from '../disk/layout.ts'

/** Files of the log as bytes and text, with their digests. */

export const ENGINE = 'ledgerlake'

const NO_DIGEST = '0'.repeat(64)
const DIGEST = /"digest":"([0-9a-f]{64})"/

/** An entry of thousands of files has some ten million bytes. */
const MOST_BYTES = 2 ** 28

/** How to open what others may have put there: a pipe would wait for ever for somebody to write to it; a link may lead anywhere. */
export const PLAINLY = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/** The text of a log entry; undefined when there is none. Errors: `lake_damaged`. */
export async function readEntry(table: string, version: number): Promise<string | undefined> {
  return (await readLogFile(logEntryPath(table, version)))?.toString('utf8')
}

/** The bytes of a file of the log; undefined when there is none. Errors: `lake_damaged`. */
export async function readLogFile(path: string): Promise<Buffer | undefined> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, PLAINLY)
    const facts = await handle.stat()
    if (!facts.isFile()) refuseFile(path, 'is no regular file')
    if (facts.size > MOST_BYTES)
      refuseFile(path, `has ${facts.size} bytes where at most ${MOST_BYTES} are accepted`)
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

/** Undefined for what is not there; what is there but cannot be read is damage. */
function unlessMissing(error: unknown, path: string): undefined {
  if (errorCodeOf(error) === 'ENOENT') return undefined
  const words = systemWordsOf(error)
  if (words === undefined) throw error
  if (isPassing(error)) fail('not_ready', `${path} cannot be read now: ${words}.`, { cause: error })
  fail('lake_damaged', `${path} cannot be read: ${words}; give access to it, or restore it from a copy.`, {
    cause: error,
  })
}

/** Names of the files in the log of a table; none when it has no log. Errors: `lake_damaged`. */
export async function listLog(table: string): Promise<readonly string[]> {
  return await readdir(logFolder(table)).catch((error) => unlessMissing(error, logFolder(table)) ?? [])
}

/** The newest version whose entry is there, -1 when there is none. Errors: `lake_damaged`. */
export async function newestEntry(table: string): Promise<number> {
  return (await listLog(table)).reduce(
    (newest, name) => Math.max(newest, versionOfFile(name, 'entry') ?? -1),
    -1,
  )
}

/** Versions have no gaps: an entry beyond the first missing one means that entries were lost. Errors: `lake_damaged`. */
export async function refuseGap(table: string, missing: number): Promise<void> {
  const versions = (await listLog(table)).map((name) => versionOfFile(name, 'entry') ?? -1)
  const beyond = versions.find((version) => version > missing)
  if (beyond === undefined || (await readEntry(table, missing)) !== undefined) return
  fail(
    'lake_damaged',
    `${logEntryPath(table, missing)} is missing although version ${beyond} exists; restore it from a copy.`,
  )
}

/** Actions as lines, the first of which names the digest of them all in place of the member `digest`. */
export function writeLines(first: (digest: string) => object, actions: readonly object[]): string {
  const text = [first(NO_DIGEST), ...actions].map((action) => `${JSON.stringify(action)}\n`).join('')
  return text.replace(`"digest":"${NO_DIGEST}"`, `"digest":"${digestOf(text)}"`)
}

/** The digest that a text names, which it need not have; undefined when it names none. */
export function digestIn(text: string): string | undefined {
  return DIGEST.exec(text)?.[1]
}

/** Whether a text has the digest that it names; undefined when it names none. */
export function hasItsDigest(text: string): boolean | undefined {
  const named = digestIn(text)
  return named === undefined ? undefined : digestOf(text.replace(named, NO_DIGEST)) === named
}
