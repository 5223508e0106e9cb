import { isPresent } from '../disk/disk.ts'
import type { Snapshot } from './snapshot.ts'

/** A check is valid for one second, to spare most requests the file system calls. */
const VALID_MS = 1000
const CONCURRENCY = 64

const checkedAt = new WeakMap<Snapshot, number>()

/** Checks that all files of a snapshot existed within the last second. */
export function wasWhole(snapshot: Snapshot): boolean {
  return performance.now() - (checkedAt.get(snapshot) ?? Number.NEGATIVE_INFINITY) < VALID_MS
}

/** Checks whether a data file of an older snapshot is gone, as after a vacuum. Skips files that `newest` names too. */
export async function lacksFiles(
  snapshot: Snapshot,
  newest: Snapshot,
  signal?: AbortSignal,
): Promise<boolean> {
  return !wasWhole(snapshot) && (await lacksFilesNow(snapshot, newest, signal))
}

/** Checks the same, without the cache. */
export async function lacksFilesNow(
  snapshot: Snapshot,
  newest: Snapshot,
  signal?: AbortSignal,
): Promise<boolean> {
  checkedAt.delete(snapshot)
  for (const table of snapshot.tables) {
    const current = newest.table(table.resource)
    if (current.digest === table.digest) continue
    const live = new Set(current.files.map(({ path }) => path))
    const older = table.files.filter(({ path }) => !live.has(path))
    for (let first = 0; first < older.length; first += CONCURRENCY) {
      signal?.throwIfAborted()
      const part = older.slice(first, first + CONCURRENCY)
      const present = await Promise.all(part.map(({ path }) => isPresent(path)))
      if (present.includes(false)) return true
    }
  }
  checkedAt.set(snapshot, performance.now())
  return false
}
