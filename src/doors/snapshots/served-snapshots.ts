import { repeatAfter } from '../../base/background.ts'
import { fail, ServiceError } from '../../base/errors.ts'
import type { Resource } from '../../catalog/resource.ts'
import { lacksFilesNow } from '../../lake/snapshot/gone-files.ts'
import type { Lake } from '../../lake/snapshot/lake.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { openPinnedSnapshots } from './pinned-snapshots.ts'
import { type Declared, openSnapshotsInUse } from './snapshots-in-use.ts'

/** The snapshots that requests are answered from. */
export interface ServedSnapshots {
  /** The newest snapshot, or the one that `as_of` names, if nothing has to be read or waited for. */
  known(asOf: string | undefined): Snapshot | undefined
  /** The same, read where it has to be. Errors: `not_ready`, `malformed_request`, `gone`, `lake_damaged`. */
  of(asOf: string | undefined, signal: AbortSignal): Promise<Snapshot>
  /** A snapshot with a table at a version; undefined when there is no such version. Errors: `gone`, `lake_damaged`. */
  ofTable(resource: Resource, version: number, signal: AbortSignal): Promise<Snapshot | undefined>
  /** The last version of a table that was committed by a time, in milliseconds; -1 when all are later. Errors: `lake_damaged`. */
  versionAt(resource: Resource, time: number, signal: AbortSignal): Promise<number>
  /**
   * The newest snapshot, looked for at once, to answer a request anew whose files a vacuum has removed meanwhile.
   * Errors: `gone` when the request named its snapshot; the error itself when it has another cause.
   */
  insteadOf(at: Snapshot, asOf: string | undefined, error: unknown): Promise<Snapshot>
  /** Undefined while nothing was ingested. */
  current(): Snapshot | undefined
  /** True if the last look at the lake failed, so commits may be missing. */
  isBehind(): boolean
  close(): Promise<void>
}

/**
 * Follows a lake: looks for commits every `refreshMs`; `onNew` prepares a snapshot, as far as it can, before it is served;
 * others may still be asked for. What requests may still read is declared, if it is said where.
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
  /** A snapshot is served although a file cannot be read: requests that need the file fail, others do not. */
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
      // A vacuum meanwhile keeps the files of both.
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
      if (at === current || !(await lacksFilesNow(at, current))) throw error
      return asOf === undefined ? current : pinned.refuseGone(asOf)
    },
    current: () => (current.isEmpty ? undefined : current),
    isBehind: () => behind,
    async close() {
      await following.stop()
      await looking
    },
  }
}
