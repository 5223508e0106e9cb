import { type ErrorCode, fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import { readInstant, writeInstant } from '../../base/values/instant.ts'
import type { Resource } from '../../catalog/resource.ts'
import { lacksFiles, wasWhole } from '../../lake/snapshot/gone-files.ts'
import type { Lake } from '../../lake/snapshot/lake.ts'
import { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { versionsOfId } from '../../lake/snapshot/snapshot-id.ts'
import { shareWork } from '../concurrency/shared-work.ts'

/** Pages of an older snapshot reuse it instead of reading the log again. */
const REMEMBERED_SNAPSHOTS = 8

/** Opens the snapshots that requests name by id or instant. */
export function openPinnedSnapshots(lake: Lake, current: () => Snapshot) {
  const remembered = new Map<string, Snapshot>()
  const sharedWork = shareWork<Snapshot>()
  const read = shareWork<Snapshot | undefined>()

  function remember(snapshot: Snapshot): void {
    remembered.delete(snapshot.id)
    remembered.set(snapshot.id, snapshot)
    const [oldest = ''] = remembered.keys()
    if (remembered.size > REMEMBERED_SNAPSHOTS) remembered.delete(oldest)
  }

  async function idOfInstant(
    asOf: string,
    instant: bigint,
    newest: Snapshot,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { first, last } = await lake.times.boundsOf(newest, signal)
    const [time, end] = [Number(instant / 1000n), Math.max(Date.now(), last)]
    if (time < first || time > end) {
      const [from, to] = [first, end].map((bound) => writeInstant(BigInt(bound) * 1000n))
      return refuse(asOf, `use an instant from ${from}, the first commit of this lake, to ${to}, now`)
    }
    return await lake.idAt(await lake.times.versionsAt(time, newest, signal), signal)
  }

  async function readLog(id: string, signal: AbortSignal): Promise<Snapshot | undefined> {
    const snapshot = await lake.at(id, signal)
    if (snapshot !== undefined) remember(snapshot)
    return snapshot
  }

  /** Returns a cached snapshot, or reads it from the log. */
  async function withId(id: string, signal: AbortSignal): Promise<Snapshot | undefined> {
    return remembered.get(id) ?? (await read.run(id, signal, (shared) => readLog(id, shared)))
  }

  async function find(asOf: string, signal: AbortSignal): Promise<Snapshot> {
    const newest = current()
    const instant = readInstant(asOf)
    if (instant === undefined && versionsOfId(asOf) === undefined) return refuse(asOf, ADVICE)
    const id =
      instant === undefined ? await lake.idOf(asOf, signal) : await idOfInstant(asOf, instant, newest, signal)
    if (id === newest.id) return newest
    const snapshot = id && (await withId(id, signal))
    if (!snapshot) return refuse(asOf, `this lake has no such snapshot; ${ADVICE}`)
    return (await lacksFiles(snapshot, newest, signal, lake.elsewhere)) ? refuseGone(asOf) : snapshot
  }

  /** Returns a snapshot with a table at a version; undefined if the version does not exist. Errors: `gone`, `lake_damaged`. */
  async function ofTable(
    resource: Resource,
    version: number,
    signal: AbortSignal,
  ): Promise<Snapshot | undefined> {
    const newest = current()
    if (version === newest.table(resource).version) return newest
    // The version may be newer than `newest`: another server may already have served its commit.
    const id = await lake.idAt(new Map([[resource, version]]), signal)
    if (id === undefined) return undefined
    const snapshot = await withId(id, signal)
    if (snapshot === undefined || !(await lacksFiles(snapshot, newest, signal, lake.elsewhere)))
      return snapshot
    return fail(
      'gone',
      `The files of version ${version} of ${resource.name} were vacuumed; ask for a newer one.`,
    )
  }

  /** Errors: `gone`, always. */
  const refuseGone = (asOf: string): never =>
    refuse(asOf, `its files were vacuumed; use a newer snapshot, such as ${current().id}`, 'gone')

  return {
    /** Returns a cached snapshot whose files were all present at a recent check; otherwise undefined. */
    known(asOf: string): Snapshot | undefined {
      const snapshot = remembered.get(asOf)
      return snapshot !== undefined && wasWhole(snapshot) ? snapshot : undefined
    },
    refuseGone,
    /** Returns the snapshot of `as_of`. Errors: `malformed_request`, `gone`, `lake_damaged`. */
    of: (asOf: string, signal: AbortSignal) => sharedWork.run(asOf, signal, (shared) => find(asOf, shared)),
    ofTable,
    /** Returns the last version of a table committed by `time` (ms since 1970); -1 if all are later. Errors: `lake_damaged`. */
    async versionAt(resource: Resource, time: number, signal: AbortSignal): Promise<number> {
      const alone = new Snapshot([current().table(resource)])
      return (await lake.times.versionsAt(time, alone, signal)).get(resource) ?? -1
    },
    remember,
    /** Returns the most recently requested snapshots. */
    remembered: (): Iterable<Snapshot> => remembered.values(),
  }
}

const ADVICE = 'use an id from the header Ledgerlake-Snapshot, or an instant such as 2026-07-01T00:00:00Z'

function refuse(asOf: string, reason: string, code: ErrorCode = 'malformed_request'): never {
  const message = `as_of is ${quoted(asOf)}; ${reason}`
  return fail(code, `${message}.`, { faults: [{ param: 'as_of', message }] })
}
