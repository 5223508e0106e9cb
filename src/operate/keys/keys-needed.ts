import { rm, writeFile } from 'node:fs/promises'
import { isPresent, syncFile, syncFolder } from '../../lake/disk/disk.ts'
import { keysNeededPath } from '../../lake/disk/layout.ts'

/**
 * A note beside the tables that requests need a key. It is no part of the folder of keys, so that the loss of that one, or
 * a copy of the lake without it, does not open the server to everybody.
 */

/** Text of the note; its existence is all that counts. */
export const KEYS_NEEDED_NOTE = 'Requests to this lake need a key. To serve it without: ledgerlake keys off\n'

/** Returns true if a lake had keys and `keys off` was not run since. */
export function areKeysNeeded(lake: string): Promise<boolean> {
  return isPresent(keysNeededPath(lake))
}

/** A lake that cannot be written now keeps its keys without the note; whoever serves it next tries again. */
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
