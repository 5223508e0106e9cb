import { repeatAfter } from '../../base/background.ts'
import { fail, ServiceError } from '../../base/errors.ts'
import type { Resource } from '../../catalog/resource.ts'
import { lacksFilesNow } from '../../lake/snapshot/gone-files.ts'
import type { Lake } from '../../lake/snapshot/lake.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { openPinnedSnapshots } from './pinned-snapshots.ts'
import { type Declared, openSnapshotsInUse } from './snapshots-in-use.ts'

/** The snapshots that the server reads for its responses. */
export interface ServedSnapshots {
  /** Returns the newest snapshot or the one of `as_of` if no I/O is needed, otherwise undefined. */
  known(asOf: string | undefined): Snapshot | undefined
  /**
   * Returns the same snapshot, and reads it if necessary. Errors: `not_ready`, `malformed_request`, `gone`,
   * `lake_damaged`.
   */
  of(asOf: string | undefined, signal: AbortSignal): Promise<Snapshot>
  /**
   * Returns a snapshot with a table at a version; undefined if the version does not exist. Errors: `gone`,
   * `lake_damaged`.
   */
  ofTable(resource: Resource, version: number, signal: AbortSignal): Promise<Snapshot | undefined>
  /**
   * Returns the last version of a table committed by `time` (ms since 1970); -1 if all are later. Errors: `lake_damaged`.
   */
  versionAt(resource: Resource, time: number, signal: AbortSignal): Promise<number>
  /**
   * Reads the log and returns the newest snapshot, for a retry after a vacuum removed files of `at`.
   * Errors: `gone` if the request has `as_of`; `error` itself if it has another cause.
   */
  insteadOf(at: Snapshot, asOf: string | undefined, error: unknown): Promise<Snapshot>
  /** Reads the log now; a failure is reported as one of the regular reads. */
  look(): Promise<void>
  /** Returns the newest snapshot; undefined before the first ingest. */
  current(): Snapshot | undefined
  /** Returns true if the last read of the log failed, so commits may be missing. */
  isBehind(): boolean
  close(): Promise<void>
}

/**
 * Follows a lake: reads the log every `refreshMs`. `onNew` warms caches before a snapshot is served; `others` are older
 * snapshots still in use. With `declared`, the snapshots in use are written there for `vacuum`.
 */
export async function followLake(
  lake: Lake,
  refreshMs: number,
  onNew: (snapshot: Snapshot, others: readonly Snapshot[]) => Promise<void>,
  onError: (error: unknown) => void,
  declared?: Declared,
): Promise<ServedSnapshots> {
  const inUse = openSnapshotsInUse(declared)
  let current = await lake.latestReadable()
  const pinned = openPinnedSnapshots(lake, () => current)
  /** A failure does not keep the snapshot from being served: only requests that need the unreadable file fail. */
  const prepare = (snapshot: Snapshot, ...others: readonly Snapshot[]) =>
    onNew(snapshot, others).catch(onError)
  await inUse.declare(current)
  if (!current.isEmpty) await prepare(current)
  let behind = current.unreadable.size > 0
  for (const fault of current.unreadable.values()) onError(fault)
  let looking: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    try {
      const latest = await lake.latestReadable()
      behind = latest.unreadable.size > 0
      if (latest === current) return await inUse.declare(current)
      // Until the switch, a vacuum must keep the files of both.
      await inUse.declare(current, latest)
      await prepare(latest, current, ...pinned.remembered())
      pinned.remember(current)
      inUse.give(current)
      current = latest
      await inUse.declare(current)
    } catch (error) {
      behind = true
      onError(error)
    }
  }

  function lookNow(): Promise<void> {
    looking = looking.then(look)
    return looking
  }

  const following = repeatAfter(refreshMs, 'following the lake', lookNow)

  function given<S extends Snapshot | undefined>(snapshot: S): S {
    if (snapshot !== undefined && snapshot !== current) inUse.give(snapshot)
    return snapshot
  }

  return {
    known(asOf) {
      const isNewest = asOf === undefined || asOf === current.id
      return current.isEmpty ? undefined : isNewest ? current : given(pinned.known(asOf))
    },
    async of(asOf, signal) {
      if (current.isEmpty) {
        fail('not_ready', 'Nothing has been ingested yet; use: ledgerlake ingest PATH... --lake DIR')
      }
      return asOf === undefined ? current : given(await pinned.of(asOf, signal))
    },
    ofTable: async (resource, version, signal) => given(await pinned.ofTable(resource, version, signal)),
    versionAt: pinned.versionAt,
    async insteadOf(at, asOf, error) {
      if (!(error instanceof ServiceError) || error.code !== 'lake_damaged') throw error
      await lookNow()
      if (at === current || !(await lacksFilesNow(at, current, undefined, lake.elsewhere))) throw error
      return asOf === undefined ? current : pinned.refuseGone(asOf)
    },
    look: lookNow,
    current: () => (current.isEmpty ? undefined : current),
    isBehind: () => behind,
    async close() {
      await following.stop()
      await looking
    },
  }
}
