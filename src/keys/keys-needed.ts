import { rm, writeFile } from 'node:fs/promises'
import { isPresent, syncFile, syncFolder } from '../lake/disk/disk.ts'
import { keysNeededPath } from '../lake/disk/layout.ts'

/**
 * A note in the lake that requests need a key. It is not in the folder of keys, so losing that folder, or copying the
 * lake without it, does not open the server to everybody.
 */

/** Text of the note; only its existence matters. */
export const KEYS_NEEDED_NOTE = 'Requests to this lake need a key. To serve it without: ledgerlake keys off\n'

/** Returns true if a lake had keys and `keys off` was not run since. */
export function areKeysNeeded(lake: string): Promise<boolean> {
  return isPresent(keysNeededPath(lake))
}

/** Writes the note. A read-only lake keeps its keys without it; the next server tries again. */
export async function noteKeysNeeded(lake: string): Promise<void> {
  const path = keysNeededPath(lake)
  try {
    await writeFile(path, KEYS_NEEDED_NOTE, { flag: 'wx' })
    await syncFile(path)
    await syncFolder(lake)
  } catch {}
}

export async function forgetKeysNeeded(lake: string): Promise<void> {
  await rm(keysNeededPath(lake), { force: true })
  await syncFolder(lake)
}
