import { constants } from 'node:fs'
import { words } from '../../support/words.ts'
import type { Effect } from './faults.ts'

/** Which functions of node:fs there are to put faults around, by what they do to the disk. */

type Effects = Readonly<Record<string, Effect>>

const effectsOf = (written: Readonly<Record<string, string>>): Effects =>
  Object.fromEntries(
    Object.entries(written).flatMap(([effect, calls]) =>
      words(calls).map((call) => [call, effect as Effect] as const),
    ),
  )

/** Those that have a path first, the same with promises and, with `Sync` at the end, without. */
export const ofPaths = effectsOf({
  looks: 'access lstat opendir readdir readlink realpath stat statfs',
  ...{ reads: 'readFile', writes: 'appendFile writeFile' },
  changes: 'chmod chown copyFile link mkdir mkdtemp rename rm rmdir symlink truncate unlink utimes',
})

/** Methods of an open file. */
export const ofHandles = effectsOf({
  ...{ looks: 'stat', reads: 'read readv readFile', writes: 'appendFile write writev writeFile' },
  ...{ changes: 'chmod chown truncate utimes', syncs: 'datasync sync', closes: 'close' },
})

/** Those of a number of an open file, with `Sync` and with a callback, which streams call. */
export const ofDescriptors = effectsOf({
  ...{ looks: 'fstat', reads: 'read readv', writes: 'write writev' },
  ...{ changes: 'fchmod ftruncate futimes', syncs: 'fdatasync fsync', closes: 'close' },
})

/** Opening a file that it may make changes the folder. */
export function effectOfOpen(flags: unknown): Effect {
  const makes =
    typeof flags === 'number' ? (flags & constants.O_CREAT) !== 0 : /[wa]/.test(String(flags ?? 'r'))
  return makes ? 'changes' : 'opens'
}

/** The place that is changed: of a link and a rename the new one. */
export function placeOf(call: string, args: readonly unknown[]): unknown {
  return /^(link|rename|symlink|copyFile)(Sync)?$/.test(call) ? args[1] : args[0]
}
