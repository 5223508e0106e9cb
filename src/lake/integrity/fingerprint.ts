import { statSync } from 'node:fs'

/** Metadata that changes with a file: inode, size, and mtime and ctime in nanoseconds since 1970. */
export interface Fingerprint {
  readonly inode: bigint
  readonly size: bigint
  readonly modified: bigint
  readonly changed: bigint
}

/** Returns undefined for a missing file. Synchronous, because a thread takes ten times as long. Errors: those of the file system. */
export function fingerprintOf(path: string): Fingerprint | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined) return undefined
  // A pipe or a device is not a data file, and reading it may never end.
  const size = stats.isFile() ? stats.size : -1n
  return { inode: stats.ino, size, modified: stats.mtimeNs, changed: stats.ctimeNs }
}

export function isSame(a: Fingerprint | undefined, b: Fingerprint | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.changed === b.changed && a.modified === b.modified && a.size === b.size && a.inode === b.inode
}

/** Two changes in one clock tick look alike. File systems in use have ticks of at most 10 ms. */
const TICK_NS = 100_000_000n

/** Checks that any later change will change the fingerprint. */
export function isSettled({ changed }: Fingerprint): boolean {
  const passed = BigInt(Date.now()) * 1_000_000n - changed
  return passed > TICK_NS || passed < -TICK_NS
}
