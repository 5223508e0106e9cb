import { constants } from 'node:fs'
import type { Effect } from './faults.ts'

/** Which functions of node:fs there are to put faults around, by what they do to the disk. */

/** Those that have a path first, the same with promises and, with `Sync` at the end, without. */
export const ofPaths: Readonly<Record<string, Effect>> = {
  access: 'looks',
  lstat: 'looks',
  opendir: 'looks',
  readdir: 'looks',
  readlink: 'looks',
  realpath: 'looks',
  stat: 'looks',
  statfs: 'looks',
  readFile: 'reads',
  appendFile: 'writes',
  writeFile: 'writes',
  chmod: 'changes',
  chown: 'changes',
  copyFile: 'changes',
  link: 'changes',
  mkdir: 'changes',
  mkdtemp: 'changes',
  rename: 'changes',
  rm: 'changes',
  rmdir: 'changes',
  symlink: 'changes',
  truncate: 'changes',
  unlink: 'changes',
  utimes: 'changes',
}

/** Methods of an open file. */
export const ofHandles: Readonly<Record<string, Effect>> = {
  stat: 'looks',
  read: 'reads',
  readv: 'reads',
  readFile: 'reads',
  appendFile: 'writes',
  write: 'writes',
  writev: 'writes',
  writeFile: 'writes',
  chmod: 'changes',
  chown: 'changes',
  truncate: 'changes',
  utimes: 'changes',
  datasync: 'syncs',
  sync: 'syncs',
  close: 'closes',
}

/** Those of a number of an open file, with `Sync` and with a callback, which streams call. */
export const ofDescriptors: Readonly<Record<string, Effect>> = {
  fstat: 'looks',
  read: 'reads',
  readv: 'reads',
  write: 'writes',
  writev: 'writes',
  fchmod: 'changes',
  ftruncate: 'changes',
  futimes: 'changes',
  fdatasync: 'syncs',
  fsync: 'syncs',
  close: 'closes',
}

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
