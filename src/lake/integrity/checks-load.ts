import type { Snapshot } from '../snapshot/snapshot.ts'
import type { CheckedFiles } from './checked-files.ts'

/** What is known of the live data files. */
export interface ChecksLoad {
  /** Of any files, since the start. */
  readonly files: number
  readonly bytes: number
  readonly damaged: number
  /** Nobody has looked at them yet. */
  readonly unchecked: number
  /** Since the file was looked at that was not for the longest time; undefined while some were not at all. */
  readonly oldestSeconds: number | undefined
}

/** Opens no file, and looks at none. */
export function checksLoad({ work, latest }: CheckedFiles, at: Snapshot | undefined): ChecksLoad {
  let [damaged, unchecked, oldest] = [0, 0, 0]
  const live = at?.tables.flatMap((table) => table.files) ?? []
  for (const { path } of live) {
    const found = latest(path)
    if (found === undefined) unchecked += 1
    else if (found.verdict.fault !== undefined) damaged += 1
    oldest = Math.max(oldest, found?.age ?? 0)
  }
  return { ...work, damaged, unchecked, oldestSeconds: unchecked > 0 ? undefined : oldest / 1000 }
}
