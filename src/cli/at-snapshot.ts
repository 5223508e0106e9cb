import { openPinnedSnapshots } from '../doors/snapshots/pinned-snapshots.ts'
import type { Lake } from '../lake/snapshot/lake.ts'
import type { Snapshot } from '../lake/snapshot/snapshot.ts'
import { openServices, type Services } from '../services/services.ts'
import type { Settings } from '../settings/settings.ts'

/** The snapshot that `asOf` names by its id or an instant; the newest without it. Errors: `gone`, `malformed_request`. */
export async function snapshotOf(
  lake: Lake,
  asOf: string | undefined,
  signal: AbortSignal,
): Promise<Snapshot> {
  const newest = await lake.latest()
  return asOf === undefined ? newest : await openPinnedSnapshots(lake, () => newest).of(asOf, signal)
}

const signals = ['SIGINT', 'SIGTERM'] as const

/**
 * Opens a lake for work at one snapshot. A signal to the process aborts the work, and ends the process once the work has
 * tidied up. Errors: those of the lake and of `work`.
 */
export async function workAt(
  settings: Settings,
  asOf: string | undefined,
  work: (services: Services, at: Snapshot, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  const interrupt = (signal: NodeJS.Signals) => stop.abort(signal)
  for (const signal of signals) process.once(signal, interrupt)
  const services = await openServices(settings)
  try {
    await work(services, await snapshotOf(services.lake, asOf, stop.signal), stop.signal)
  } finally {
    await services.close()
    for (const signal of signals) process.off(signal, interrupt)
    // Once it has tidied up, it ends as it would have.
    if (stop.signal.aborted) process.kill(process.pid, stop.signal.reason)
  }
}
