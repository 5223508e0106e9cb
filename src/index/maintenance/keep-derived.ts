import { repeatEvery } from '../../base/background.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Derived } from './derived.ts'

/** While commits keep coming, what is built would be outdated by the time it is finished. */
const QUIET_MS = 10_000
/** Another process may have built it, such as the ingest that committed. */
const LOOK_MS = 1000

export interface Keeper {
  /** Aborts what is being built and waits for its end. */
  close(): Promise<void>
}

/**
 * Loads what other processes build, and builds in the background what the newest snapshot lacks once nothing was committed
 * for a while. That includes what was there and could not be read.
 */
export function keepDerived(
  derived: readonly Derived[],
  current: () => Snapshot | undefined,
  onError: (error: unknown) => void,
  quietMs = QUIET_MS,
): Keeper {
  const stop = new AbortController()
  const keepers = derived.map((one) => keepOne(one, stop.signal, onError))
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

function keepOne(derived: Derived, signal: AbortSignal, onError: (error: unknown) => void) {
  let failed: Snapshot | undefined
  return async (snapshot: Snapshot, isQuiet: boolean): Promise<void> => {
    try {
      if (!derived.lacks(snapshot) || (await derived.load(snapshot)).length === 0) return
      if (!isQuiet || snapshot === failed || signal.aborted) return
      await derived.build(snapshot, { signal })
      if ((await derived.load(snapshot)).length > 0) failed = snapshot
    } catch (error) {
      // What failed once fails again until something is committed.
      failed = snapshot
      if (!signal.aborted) onError(error)
    }
  }
}
