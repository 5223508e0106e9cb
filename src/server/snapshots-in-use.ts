import type { Reader } from '../lake/readers.ts'
import type { Snapshot } from '../lake/snapshot.ts'

/** Where the snapshots are declared that requests may still read, and how long a request may take. */
export interface Declared {
  readonly reader: Reader
  readonly longestMs: number
}

/** Older snapshots that requests were given. */
export interface SnapshotsInUse {
  /** Notes that a request was given an older snapshot, and declares it if it was not. */
  give(snapshot: Snapshot, current: Snapshot): void
  /** Declares the current snapshot and those that requests may still read; called now and then. */
  declare(current: Snapshot): void
}

export function openSnapshotsInUse(declared: Declared | undefined): SnapshotsInUse {
  if (declared === undefined) return { give() {}, declare() {} }
  const { reader, longestMs } = declared
  const givenAt = new Map<Snapshot, number>()

  function declare(current: Snapshot): void {
    const now = performance.now()
    for (const [snapshot, at] of givenAt) if (now - at > longestMs) givenAt.delete(snapshot)
    void reader.declare([current, ...givenAt.keys()])
  }

  return {
    give(snapshot, current) {
      const isKnown = givenAt.has(snapshot)
      givenAt.set(snapshot, performance.now())
      if (!isKnown) declare(current)
    },
    declare,
  }
}
