import { repeatEvery } from '../../base/background.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Derived } from './derived.ts'

/** An index built between two commits would be outdated at once. */
const QUIET_MS = 10_000
/** Another process, such as an ingest, may build the files. */
const LOOK_MS = 1000

export interface Keeper {
  /** Aborts a running build and waits for its end. */
  close(): Promise<void>
}

/** Loads files of other processes, and builds missing or damaged files in the background after `quietMs` without a commit. */
export function keepDerived(
  derived: readonly Derived[],
  current: () => Snapshot | undefined,
  onError: (error: unknown) => void,
  quietMs = QUIET_MS,
): Keeper {
  const stop = new AbortController()
  const keepers = derived.map((index) => createKeeper(index, stop.signal, onError))
  let seen: Snapshot | undefined
  let seenAt = Date.now()

  async function work(): Promise<void> {
    const snapshot = current()
    if (snapshot !== seen) seenAt = Date.now()
    seen = snapshot
    if (snapshot === undefined) return
    const isQuiet = Date.now() - seenAt >= quietMs
    for (const keep of keepers) await keep(snapshot, isQuiet)
  }

  const working = repeatEvery(Math.min(quietMs, LOOK_MS), 'keeping what is derived', work)
  return {
    close() {
      stop.abort()
      return working.stop()
    },
  }
}

function createKeeper(derived: Derived, signal: AbortSignal, onError: (error: unknown) => void) {
  let failed: Snapshot | undefined
  return async (snapshot: Snapshot, isQuiet: boolean): Promise<void> => {
    try {
      if (!derived.lacks(snapshot) || (await derived.load(snapshot)).length === 0) return
      if (!isQuiet || snapshot === failed || signal.aborted) return
      await derived.build(snapshot, { signal })
      if ((await derived.load(snapshot)).length > 0) failed = snapshot
    } catch (error) {
      // A retry would fail again until the next commit.
      failed = snapshot
      if (!signal.aborted) onError(error)
    }
  }
}
