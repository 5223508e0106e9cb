import { statSync } from 'node:fs'

/** What tells a changed file without reading it: inode, size, and both times in nanoseconds since 1970. */
export interface Fingerprint {
  readonly inode: bigint
  readonly size: bigint
  readonly modified: bigint
  readonly changed: bigint
}

/** Undefined when nothing is there. It does not wait for a thread: that takes ten times as long as the call. Errors: those of the file system. */
export function fingerprintOf(path: string): Fingerprint | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (found === undefined) return undefined
  // A pipe or a device is no data file, and may never end.
  const size = found.isFile() ? found.size : -1n
  return { inode: found.ino, size, modified: found.mtimeNs, changed: found.ctimeNs }
}

export function isSame(a: Fingerprint | undefined, b: Fingerprint | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.changed === b.changed && a.modified === b.modified && a.size === b.size && a.inode === b.inode
}

/** Two changes within one tick of a file system's clock look alike; those in use have ticks of at most 10 ms. */
const TICK_NS = 100_000_000n

/** Whether a change from now on gives another fingerprint for certain. */
export function isSettled({ changed }: Fingerprint): boolean {
  const passed = BigInt(Date.now()) * 1_000_000n - changed
  return passed > TICK_NS || passed < -TICK_NS
}
