import { inBackground } from '../../base/background.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { LakeReader } from '../../lake/runs/readers.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'

/** The reader entry for snapshots in use, and the longest duration of a request. */
export interface Declared {
  readonly reader: LakeReader
  readonly longestMs: number
}

/** Records snapshots that requests may still read, so that a vacuum keeps their files. */
export function openSnapshotsInUse(declared: Declared | undefined) {
  /** Time of the last use of each version. Snapshots themselves would occupy memory. */
  const givenAt = new Map<Resource, Map<number, number>>()
  let held: readonly Snapshot[] = []

  /** Records the versions of a snapshot. Returns true if one is new. */
  function note({ tables }: Snapshot): boolean {
    let isNew = false
    for (const { resource, version } of tables) {
      const times = givenAt.get(resource) ?? new Map<number, number>()
      isNew ||= !times.has(version)
      givenAt.set(resource, times.set(version, performance.now()))
    }
    return isNew
  }

  async function declare({ reader, longestMs }: Declared): Promise<void> {
    const now = performance.now()
    for (const snapshot of held) note(snapshot)
    for (const times of givenAt.values())
      for (const [version, at] of times) if (now - at > longestMs) times.delete(version)
    await reader.declare(new Map([...givenAt].map(([resource, own]) => [resource, own.keys()])))
  }

  return {
    /** Records that a request uses an older snapshot, and declares the snapshot if it is new. */
    give(snapshot: Snapshot): void {
      if (declared !== undefined && note(snapshot))
        inBackground('declaring snapshots in use', () => declare(declared))
    },
    /** Declares snapshots in place of the previous ones, with the snapshots that requests may still read. Called periodically. */
    async declare(...snapshots: readonly Snapshot[]): Promise<void> {
      held = snapshots
      if (declared !== undefined) await declare(declared)
    },
  }
}
