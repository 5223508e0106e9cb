import { fail } from '../errors.ts'
import type { Lake } from '../lake/lake.ts'
import type { Snapshot } from '../lake/snapshot.ts'

/** The snapshots that requests are answered from. */
export interface ServedSnapshots {
  /** The newest snapshot known, or the one that the id names. Errors: `not_ready`, `malformed_request`. */
  of(asOf: string | undefined): Promise<Snapshot>
  /** Undefined while nothing was ingested. */
  current(): Snapshot | undefined
  close(): Promise<void>
}

/** Follows a lake: looks for commits every `refreshMs`; `onNew` prepares a snapshot before it is served. */
export async function followLake(
  lake: Lake,
  refreshMs: number,
  onNew: (snapshot: Snapshot) => Promise<void>,
  onError: (error: unknown) => void,
): Promise<ServedSnapshots> {
  let current = await lake.latest()
  if (!current.isEmpty) await onNew(current)
  let looking: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    try {
      const latest = await lake.latest()
      if (latest === current) return
      await onNew(latest)
      current = latest
    } catch (error) {
      onError(error)
    }
  }

  let timer = setTimeout(again, refreshMs)
  let closed = false
  function again(): void {
    looking = look().finally(() => {
      if (!closed) timer = setTimeout(again, refreshMs)
    })
  }

  return {
    async of(asOf) {
      if (current.isEmpty) {
        fail('not_ready', 'Nothing has been ingested yet; use: ledgerlake ingest PATH... --lake DIR')
      }
      return asOf === undefined || asOf === current.id ? current : await pinned(lake, asOf)
    },
    current: () => (current.isEmpty ? undefined : current),
    async close() {
      closed = true
      clearTimeout(timer)
      await looking
    },
  }
}

async function pinned(lake: Lake, asOf: string): Promise<Snapshot> {
  const snapshot = await lake.at(asOf)
  if (snapshot !== undefined) return snapshot
  const message = `as_of is ${JSON.stringify(asOf.slice(0, 80))}; a snapshot id from the header Ledgerlake-Snapshot is accepted`
  return fail('malformed_request', `${message}.`, { faults: [{ param: 'as_of', message }] })
}
