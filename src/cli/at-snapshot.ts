import { openPinnedSnapshots } from '../doors/snapshots/pinned-snapshots.ts'
import type { Lake } from '../lake/snapshot/lake.ts'
import type { Snapshot } from '../lake/snapshot/snapshot.ts'
import { openServices, type Services } from '../services/services.ts'
import type { Settings } from '../services/settings/settings.ts'

/**
 * Returns the snapshot that `asOf` names by id or instant; by default the newest. Errors: `gone`, `malformed_request`.
 */
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
 * Opens a lake at one snapshot and runs `work`. SIGINT or SIGTERM aborts the work; the process ends after cleaning up.
 * Errors: those of the lake and of `work`.
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
    // Resend the signal after cleanup, so that the process ends as if by the signal.
    if (stop.signal.aborted) process.kill(process.pid, stop.signal.reason)
  }
}
