import type { Snapshot } from '../lake/snapshot.ts'
import { buildMissingOrders, type Services } from '../services.ts'
import type { Settings } from '../settings.ts'

/** While commits keep coming, order tables would be of no use by the time they are built. */
const QUIET_MS = 10_000

export interface OrderKeeper {
  close(): Promise<void>
}

/** Builds the order tables that the newest snapshot lacks, in the background, once nothing was committed for a while. */
export function keepOrders(
  settings: Settings,
  { orders }: Services,
  current: () => Snapshot | undefined,
  onError: (error: unknown) => void,
): OrderKeeper {
  const stop = new AbortController()
  let seen: Snapshot | undefined
  let done: Snapshot | undefined
  let building: Promise<void> = Promise.resolve()
  let isBuilding = false

  async function build(snapshot: Snapshot): Promise<void> {
    isBuilding = true
    try {
      // What went wrong once goes wrong again until something changes.
      done = snapshot
      if ((await orders.load(snapshot)).length === 0) return
      await buildMissingOrders(settings, { signal: stop.signal })
      await orders.load(snapshot)
    } catch (error) {
      if (!stop.signal.aborted) onError(error)
    } finally {
      isBuilding = false
    }
  }

  const timer = setInterval(() => {
    const snapshot = current()
    if (snapshot !== undefined && snapshot === seen && snapshot !== done && !isBuilding)
      building = build(snapshot)
    seen = snapshot
  }, QUIET_MS).unref()

  return {
    async close() {
      clearInterval(timer)
      stop.abort()
      await building
    },
  }
}
