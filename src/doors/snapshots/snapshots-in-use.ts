import { inBackground } from '../../base/background.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { LakeReader } from '../../lake/runs/readers.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'

/** Where the snapshots are declared that requests may still read, and how long a request may take. */
export interface Declared {
  readonly reader: LakeReader
  readonly longestMs: number
}

/** Older snapshots that requests were given. */
export interface SnapshotsInUse {
  /** Notes that a request was given an older snapshot, and declares it if it was not. */
  give(snapshot: Snapshot): void
  /** Declares these snapshots until others are declared in their place, and those that requests may still read; called now and then. */
  declare(...held: readonly Snapshot[]): Promise<void>
}

export function openSnapshotsInUse(declared: Declared | undefined): SnapshotsInUse {
  if (declared === undefined) return { give() {}, async declare() {} }
  const { reader, longestMs } = declared
  /** When each version of a table was given last; snapshots themselves would be held in memory. */
  const givenAt = new Map<Resource, Map<number, number>>()
  let held: readonly Snapshot[] = []

  /** Gives whether a version is new. */
  function note({ tables }: Snapshot): boolean {
    let isNew = false
    for (const { resource, version } of tables) {
      const times = givenAt.get(resource) ?? new Map<number, number>()
      isNew ||= !times.has(version)
      givenAt.set(resource, times.set(version, performance.now()))
    }
    return isNew
  }

  async function declare(): Promise<void> {
    const now = performance.now()
    for (const snapshot of held) note(snapshot)
    for (const times of givenAt.values())
      for (const [version, at] of times) if (now - at > longestMs) times.delete(version)
    await reader.declare(new Map([...givenAt].map(([resource, own]) => [resource, own.keys()])))
  }

  return {
    give(snapshot) {
      if (note(snapshot)) inBackground('declaring snapshots in use', declare)
    },
    declare(...others) {
      held = others
      return declare()
    },
  }
}
