import { basename } from 'node:path'
import type { Resource } from '../../catalog/resource.ts'
import { isPresent } from '../disk/disk.ts'
import type { Snapshot, TableSnapshot } from './snapshot.ts'

/** A check is valid for one second, to spare most requests the file system calls. */
const VALID_MS = 1000
const CONCURRENCY = 64

/** Lists the data files of a copy's origin; paths are relative to the table. */
export interface FilesElsewhere {
  files(resource: Resource): Promise<readonly { readonly path: string }[]>
}

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
  elsewhere?: FilesElsewhere,
): Promise<boolean> {
  return !wasWhole(snapshot) && (await lacksFilesNow(snapshot, newest, signal, elsewhere))
}

/** Checks the same, without the cache. The files of a copy may also be `elsewhere`. */
export async function lacksFilesNow(
  snapshot: Snapshot,
  newest: Snapshot,
  signal?: AbortSignal,
  elsewhere?: FilesElsewhere,
): Promise<boolean> {
  checkedAt.delete(snapshot)
  for (const table of snapshot.tables) {
    const current = newest.table(table.resource)
    if (current.digest === table.digest) continue
    const live = new Set(current.files.map(({ path }) => path))
    const missing: string[] = []
    const older = table.files.filter(({ path }) => !live.has(path))
    for (let first = 0; first < older.length; first += CONCURRENCY) {
      signal?.throwIfAborted()
      const part = older.slice(first, first + CONCURRENCY)
      const present = await Promise.all(part.map(({ path }) => isPresent(path)))
      missing.push(...part.filter((_, index) => present[index] === false).map(({ path }) => path))
    }
    if (missing.length > 0 && !(await areElsewhere(table, missing, elsewhere))) return true
  }
  checkedAt.set(snapshot, performance.now())
  return false
}

async function areElsewhere(
  { resource }: TableSnapshot,
  missing: readonly string[],
  elsewhere: FilesElsewhere | undefined,
): Promise<boolean> {
  if (elsewhere === undefined) return false
  // Names of data files are unique.
  const names = new Set((await elsewhere.files(resource)).map(({ path }) => basename(path)))
  return missing.every((path) => names.has(basename(path)))
}
