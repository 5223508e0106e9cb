import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fail } from '../base/errors.ts'
import { type KeyCounter, openCounterOf } from '../keys/counting/key-counter.ts'
import { readUsed } from '../keys/counting/read-used.ts'
import { followKeys, type KeyRing } from '../keys/key-ring.ts'
import { areKeysNeeded, noteKeysNeeded } from '../keys/keys-needed.ts'
import { isMissing } from '../lake/disk/disk.ts'
import { defaultKeyFile } from '../lake/disk/layout.ts'
import type { Settings } from './settings/settings.ts'

/** API keys and the counter of their use. */
export interface KeyServices {
  readonly keys: KeyRing
  readonly counter: KeyCounter
  close(): Promise<void>
}

export function keyFileOf({ keys, lake }: Settings): string {
  return keys === '' ? defaultKeyFile(lake) : keys
}

/** Returns a function that looks up the usage of a key. Errors are passed to `onError`. */
export function usedByKeys(
  settings: Settings,
  onError: (error: unknown) => void,
): ReturnType<typeof readUsed> {
  return readUsed(keyFileOf(settings), onError)
}

/** Returns true if the log of counts can be written next to the key file. */
export async function canKeepCounts(settings: Settings): Promise<boolean> {
  const folder = dirname(keyFileOf(settings))
  return access(folder, constants.W_OK).then(
    () => true,
    (error) => isMissing(error),
  )
}

/**
 * Follows the key file and opens the counter, whose log is next to it unless `countsFolder` is given. Later errors are
 * passed to `onError`.
 * Errors: `malformed_request` if the file is unreadable, or missing although the setting names it or keys are needed.
 */
export async function openKeys(
  settings: Settings,
  onError: (error: unknown) => void,
  countsFolder?: string,
): Promise<KeyServices> {
  const path = keyFileOf(settings)
  const keys = await followKeys(path, settings.refresh_ms, onError)
  if (!keys.isLocked()) {
    const problem = await missingKeys(settings, path)
    if (problem !== undefined) {
      await keys.close()
      fail('malformed_request', problem)
    }
  } else if (settings.keys === '') await noteKeysNeeded(settings.lake)
  const counter = openCounterOf(path, onError, countsFolder)
  return {
    keys,
    counter,
    async close() {
      await keys.close()
      counter.close()
    },
  }
}

/** Returns why a server must not start without a key file; undefined if it may. */
async function missingKeys({ keys, lake, open }: Settings, path: string): Promise<string | undefined> {
  if (keys !== '')
    return `There is no key file at ${path}; make it with: ledgerlake keys add --name NAME --keys ${path}, or leave --keys out.`
  if (open || !(await areKeysNeeded(lake))) return undefined
  return (
    `The lake ${lake} had keys, and its key file ${path} is missing; restore it from a copy, add a key ` +
    '(ledgerlake keys add), or serve without keys: ledgerlake keys off once, or --open.'
  )
}
