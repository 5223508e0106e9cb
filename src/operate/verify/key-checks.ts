import { lstat, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sentenceOf } from '../../base/errors.ts'
import { damagedEvents, logFolderOf } from '../../keys/counting/log-files.ts'
import { readKeys } from '../../keys/key-file.ts'
import { hasChecksums } from '../../keys/key-lines.ts'
import { areKeysNeeded, KEYS_NEEDED_NOTE } from '../../keys/keys-needed.ts'
import { readSecret, secretFileOf } from '../../keys/share-secret.ts'
import { parseUsage, usageFileOf } from '../../keys/usage-file.ts'
import { isMissing } from '../../lake/disk/disk.ts'
import { defaultKeyFile, keysNeededPath } from '../../lake/disk/layout.ts'
import type { Check } from './check.ts'
import { type Finding, fault, note, repairs } from './finding.ts'

interface KeyFolders {
  readonly lake: string
  readonly keyFile: string
}

/** Returns the check of a key file, usage file or secret; undefined for any other file. */
export function keyCheck({ lake, keyFile }: KeyFolders, path: string, file: string): Check | undefined {
  const check = (isNeeded: boolean, bytes: Check['bytes']): Check => ({ isNeeded, bytes })
  if (path === keyFile) return check(true, () => checkKeys(path, file))
  if (path === usageFileOf(keyFile))
    return check(false, () => checkLines(path, file, (text) => parseUsage(text).damaged))
  if (dirname(path) === logFolderOf(keyFile) && /\/\d+$/.test(path))
    return check(false, () => checkLines(path, file, damagedEvents))
  if (path === secretFileOf(keyFile)) return check(false, () => checkSecret(path, file))
  return path === keysNeededPath(lake) ? check(false, () => checkNote(path, file)) : undefined
}

/** Reports a missing key file if requests need a key. */
export async function checkLostKeys(
  { lake, keyFile }: KeyFolders,
  file: string,
): Promise<readonly Finding[]> {
  const isThere = await lstat(keyFile).then(
    () => true,
    (error) => !isMissing(error),
  )
  if (isThere || (keyFile === defaultKeyFile(lake) && !(await areKeysNeeded(lake)))) return []
  const what = 'It is missing although requests to this lake need a key, so every request is refused.'
  const repair =
    'restore the file from a copy, or name it with --keys if it is elsewhere; or make new keys with ledgerlake keys add'
  return [fault('keys', file, what, repair)]
}

async function checkKeys(path: string, file: string): Promise<readonly Finding[]> {
  try {
    await readKeys(path)
    if (hasChecksums(await readFile(path, 'utf8'))) return []
    const what = 'Some of its lines have no checksum, since an older build wrote them.'
    return [note('keys', file, what, 'any change of the keys, such as ledgerlake keys add')]
  } catch (error) {
    const repair = 'restore the file from a copy; no key is accepted before'
    return [fault('keys', file, sentenceOf(error), repair)]
  }
}

/** Reports damaged lines, which servers skip: requests are not counted, but no key is accepted by mistake. */
async function checkLines(
  path: string,
  file: string,
  damagedIn: (text: string) => readonly number[],
): Promise<readonly Finding[]> {
  const lines = damagedIn(await readFile(path, 'latin1'))
  if (lines.length === 0) return []
  const [noun, verb] = lines.length === 1 ? ['Line', 'is'] : ['Lines', 'are']
  const what = `${noun} ${lines.slice(0, 5).join(', ')} of it ${verb} not as written, so requests of a key are not counted.`
  const repair = `stop the servers and remove ${join(path)}; what its keys have used is counted anew`
  return [fault('keys', file, what, repair)]
}

/** Without a valid secret, a sharing server does not start; a new secret invalidates all addresses given out. */
async function checkSecret(path: string, file: string): Promise<readonly Finding[]> {
  const what = 'It is not as it was written, so serve --share does not start.'
  const repair = `remove ${join(path)}; the next start makes a new one, and readers ask for new addresses`
  return readSecret(path).then(
    () => [],
    () => [fault('keys', file, what, repair)],
  )
}

/** Only the existence of the note matters. */
async function checkNote(path: string, file: string): Promise<readonly Finding[]> {
  if ((await readFile(path, 'utf8')) === KEYS_NEEDED_NOTE) return []
  const what = 'It has other words than were written; that it is there says that requests need a key.'
  return [note('keys', file, what, repairs.none)]
}
