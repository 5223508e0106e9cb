import { access } from 'node:fs/promises'
import { isMissing } from '../disk/disk.ts'
import type { Snapshot } from './snapshot.ts'

/** A file that is there may be removed at any time, but not every request has to look. */
const LOOK_AGAIN_MS = 1000

const LOOK_AT_ONCE = 64

const seenAt = new WeakMap<Snapshot, number>()

/** Whether the files of a snapshot were all there a moment ago. */
export function wasWhole(snapshot: Snapshot): boolean {
  return performance.now() - (seenAt.get(snapshot) ?? Number.NEGATIVE_INFINITY) < LOOK_AGAIN_MS
}

/**
 * Whether a data file of an older snapshot is gone, as after a vacuum; files that `newest` names too are not looked at.
 */
export async function lacksFiles(
  snapshot: Snapshot,
  newest: Snapshot,
  signal?: AbortSignal,
): Promise<boolean> {
  return !wasWhole(snapshot) && (await lacksFilesNow(snapshot, newest, signal))
}

/** The same, looked at again. */
export async function lacksFilesNow(
  snapshot: Snapshot,
  newest: Snapshot,
  signal?: AbortSignal,
): Promise<boolean> {
  seenAt.delete(snapshot)
  for (const table of snapshot.tables) {
    const known = newest.table(table.resource)
    if (known.digest === table.digest) continue
    const live = new Set(known.files.map(({ path }) => path))
    const older = table.files.filter(({ path }) => !live.has(path))
    for (let first = 0; first < older.length; first += LOOK_AT_ONCE) {
      signal?.throwIfAborted()
      const part = older.slice(first, first + LOOK_AT_ONCE)
      const there = await Promise.all(part.map(({ path }) => isThere(path)))
      if (there.includes(false)) return true
    }
  }
  seenAt.set(snapshot, performance.now())
  return false
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error) => !isMissing(error),
  )
}
