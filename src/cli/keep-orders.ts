import type { Snapshot } from '../lake/snapshot.ts'
import { buildMissingOrders, type Services } from '../services.ts'
import type { Settings } from '../settings.ts'

/** While commits keep coming, order tables would be of no use by the time they are built. */
const QUIET_MS = 10_000

export interface OrderKeeper {
  close(): Promise<void>
}

/**
 * Builds the order tables that the newest snapshot lacks, in the background, once nothing was committed for a while;
 * also those that were there and could not be read.
 */
export function keepOrders(
  settings: Settings,
  { orders }: Services,
  current: () => Snapshot | undefined,
  onError: (error: unknown) => void,
  quietMs = QUIET_MS,
): OrderKeeper {
  const stop = new AbortController()
  let seen: Snapshot | undefined
  let failed: Snapshot | undefined
  let building: Promise<void> = Promise.resolve()
  let isBuilding = false

  async function build(snapshot: Snapshot): Promise<void> {
    isBuilding = true
    try {
      if ((await orders.load(snapshot)).length === 0) return
      await buildMissingOrders(settings, { signal: stop.signal })
      if ((await orders.load(snapshot)).length > 0) failed = snapshot
    } catch (error) {
      // What went wrong once goes wrong again until something is committed.
      failed = snapshot
      if (!stop.signal.aborted) onError(error)
    } finally {
      isBuilding = false
    }
  }

  const timer = setInterval(() => {
    const snapshot = current()
    const isQuiet = snapshot !== undefined && snapshot === seen && snapshot !== failed && !isBuilding
    if (isQuiet && orders.lacks(snapshot)) building = build(snapshot)
    seen = snapshot
  }, quietMs).unref()

  return {
    async close() {
      clearInterval(timer)
      stop.abort()
      await building
    },
  }
}
