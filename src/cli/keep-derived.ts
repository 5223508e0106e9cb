import type { Snapshot } from '../lake/snapshot.ts'
import { buildMissingCopies, buildMissingIndex, type Services } from '../services.ts'
import type { Settings } from '../settings.ts'

/** While commits keep coming, what is derived would be of no use by the time it is built. */
const QUIET_MS = 10_000
/** Another process may have built it, such as the ingest that committed. */
const LOOK_MS = 1000

export interface Keeper {
  close(): Promise<void>
}

/** Something that follows from a snapshot and makes answers faster. */
interface Derived {
  /** Takes up what was built; gives what is missing still. */
  load(at: Snapshot): Promise<readonly unknown[]>
  lacks(at: Snapshot): boolean
  build(signal: AbortSignal): Promise<void>
}

/**
 * Takes up the sorted copies and the hotspot index that others build, and builds what the newest snapshot lacks, in the
 * background, once nothing was committed for a while; also what was there and could not be read.
 */
export function keepDerived(
  settings: Settings,
  { sortedCopies, index }: Services,
  current: () => Snapshot | undefined,
  onError: (error: unknown) => void,
  quietMs = QUIET_MS,
): Keeper {
  const stop = new AbortController()
  const keepers = [
    keepOne(
      { ...sortedCopies, build: (signal) => buildMissingCopies(settings, { signal }) },
      stop.signal,
      onError,
    ),
    keepOne({ ...index, build: (signal) => buildMissingIndex(settings, { signal }) }, stop.signal, onError),
  ]
  let seen: Snapshot | undefined
  let seenAt = Date.now()
  let working: Promise<void> = Promise.resolve()
  let isWorking = false

  async function work(snapshot: Snapshot, isQuiet: boolean): Promise<void> {
    isWorking = true
    for (const keep of keepers) await keep(snapshot, isQuiet)
    isWorking = false
  }

  const timer = setInterval(
    () => {
      const snapshot = current()
      if (snapshot !== seen) seenAt = Date.now()
      seen = snapshot
      if (snapshot === undefined || isWorking) return
      working = work(snapshot, Date.now() - seenAt >= quietMs)
    },
    Math.min(quietMs, LOOK_MS),
  ).unref()

  return {
    async close() {
      clearInterval(timer)
      stop.abort()
      await working
    },
  }
}

function keepOne(derived: Derived, signal: AbortSignal, onError: (error: unknown) => void) {
  let failed: Snapshot | undefined
  return async (snapshot: Snapshot, isQuiet: boolean): Promise<void> => {
    try {
      if (!derived.lacks(snapshot) || (await derived.load(snapshot)).length === 0) return
      if (!isQuiet || snapshot === failed || signal.aborted) return
      await derived.build(signal)
      if ((await derived.load(snapshot)).length > 0) failed = snapshot
    } catch (error) {
      // What went wrong once goes wrong again until something is committed.
      failed = snapshot
      if (!signal.aborted) onError(error)
    }
  }
}
