import { fail } from '../errors.ts'
import { lacksFiles } from '../lake/gone-files.ts'
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

/** Follows a lake: looks for commits every `refreshMs`; `onNew` prepares a snapshot, as far as it can, before it is served. */
export async function followLake(
  lake: Lake,
  refreshMs: number,
  onNew: (snapshot: Snapshot) => Promise<void>,
  onError: (error: unknown) => void,
): Promise<ServedSnapshots> {
  let current = await lake.latest()
  const pinned = new Map<string, Promise<Snapshot>>()
  /** A file that cannot be read is told to whoever asks for it; the other files are answered from. */
  const prepare = (snapshot: Snapshot) => onNew(snapshot).catch(onError)
  if (!current.isEmpty) await prepare(current)
  let looking: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    try {
      const latest = await lake.latest()
      if (latest === current) return
      await prepare(latest)
      remember(pinned, current.id, Promise.resolve(current))
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
      if (asOf === undefined || asOf === current.id) return current
      const snapshot = await (pinned.get(asOf) ?? remember(pinned, asOf, readPinned(lake, asOf)))
      if (!(await lacksFiles(snapshot, current))) return snapshot
      return refuseAsOf(asOf, `its files were vacuumed; a newer snapshot, such as ${current.id}, is accepted`)
    },
    current: () => (current.isEmpty ? undefined : current),
    async close() {
      closed = true
      clearTimeout(timer)
      await looking
    },
  }
}

/** Callers who walk pages of an older snapshot should not have the log read for every page. */
const REMEMBERED_SNAPSHOTS = 8

function remember(
  pinned: Map<string, Promise<Snapshot>>,
  id: string,
  reading: Promise<Snapshot>,
): Promise<Snapshot> {
  pinned.set(id, reading)
  reading.catch(() => pinned.delete(id))
  const [oldest] = pinned.keys()
  if (pinned.size > REMEMBERED_SNAPSHOTS && oldest !== undefined) pinned.delete(oldest)
  return reading
}

async function readPinned(lake: Lake, asOf: string): Promise<Snapshot> {
  const snapshot = await lake.at(asOf)
  if (snapshot !== undefined) return snapshot
  return refuseAsOf(asOf, 'a snapshot id from the header Ledgerlake-Snapshot is accepted')
}

function refuseAsOf(asOf: string, reason: string): never {
  const message = `as_of is ${JSON.stringify(asOf.slice(0, 80))}; ${reason}`
  return fail('malformed_request', `${message}.`, { faults: [{ param: 'as_of', message }] })
}
