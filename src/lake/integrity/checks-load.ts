import type { Snapshot } from '../snapshot/snapshot.ts'
import type { CheckedFiles } from './checked-files.ts'

/** Progress of checks of the live data files. */
export interface ChecksLoad {
  /** Checked since the start, live or not. */
  readonly files: number
  readonly bytes: number
  readonly damaged: number
  /** Files without a verdict. */
  readonly unchecked: number
  /** Age of the oldest verdict; undefined while some files have none. */
  readonly oldestSeconds: number | undefined
}

/** Opens no file. */
export function checksLoad({ work, verdicts }: CheckedFiles, at: Snapshot | undefined): ChecksLoad {
  let [damaged, unchecked, oldest] = [0, 0, 0]
  const live = at?.tables.flatMap((table) => table.files) ?? []
  for (const { path } of live) {
    const checked = verdicts.latest(path)
    if (checked === undefined) unchecked += 1
    else if (checked.verdict.fault !== undefined) damaged += 1
    oldest = Math.max(oldest, checked?.age ?? 0)
  }
  return { ...work, damaged, unchecked, oldestSeconds: unchecked > 0 ? undefined : oldest / 1000 }
}
