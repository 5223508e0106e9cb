import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fail, ServiceError, sentenceOf } from '../../base/errors.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resourceNamed, resources } from '../../catalog/resources.ts'
import { isMissing } from '../disk/disk.ts'
import { restoredFolder, tableFolder } from '../disk/layout.ts'
import { readCommit, readTableLog } from '../log/delta-log.ts'
import type { TableLog } from '../log/table-state.ts'
import { CommitTimes } from './commit-times.ts'
import { DataFiles } from './data-files.ts'
import { Snapshot, TableSnapshot } from './snapshot.ts'
import {
  type NamedVersion,
  namesItsLake,
  type TableName,
  versionsOfId,
  writeSnapshotId,
} from './snapshot-id.ts'

/** Beyond so many entries a log is read from its checkpoint rather than from an older state. */
const MOST_STEPS = 100

/** When it was made, in milliseconds since 1970. */
interface NamedCommit extends NamedVersion {
  readonly committedAt: number
}

/** A folder of Delta tables, read incrementally: only log entries not seen before are opened. */
export class Lake {
  readonly folder: string
  readonly times: CommitTimes
  readonly #logs = new Map<Resource, TableLog>()
  readonly #tables = new Map<string, TableSnapshot>()
  readonly #older = new Map<Resource, TableLog>()
  readonly #files = new DataFiles()
  #latest = new Snapshot([])
  #isOutdated = false

  constructor(folder: string) {
    this.folder = folder
    this.times = new CommitTimes(folder)
  }

  /** The newest snapshot; the same object while nothing was committed. Errors: `lake_damaged`. */
  async latest(): Promise<Snapshot> {
    const snapshot = await this.latestReadable()
    for (const fault of snapshot.unreadable.values()) throw fault
    return snapshot
  }

  /**
   * The same without the tables whose log is damaged and was not read before: all answers that need none of them can be given.
   * Errors: `lake_damaged` when no table can be read, or one that was read before.
   */
  async latestReadable(): Promise<Snapshot> {
    const unreadable = new Map<string, ServiceError>()
    // Kept where a later table cannot be read, so that nothing is missed once it can.
    for (const resource of resources) {
      try {
        if (await this.#advance(resource)) this.#isOutdated = true
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'lake_damaged' || this.#logs.has(resource))
          throw error
        unreadable.set(resource.name, error)
      }
    }
    for (const fault of unreadable.values()) if (this.#tables.size === 0) throw fault
    const names = (of: Snapshot['unreadable']) => [...of.keys()].join()
    if (this.#isOutdated || names(unreadable) !== names(this.#latest.unreadable))
      this.#latest = new Snapshot([...this.#tables.values()], unreadable)
    this.#isOutdated = false
    return this.#latest
  }

  /**
   * The id by which this lake knows what an id names, also one that was given out before ids named their lake, or while
   * there was a table that this build no longer declares; undefined when this lake has no such snapshot. Reads one log
   * entry a table, and of an older id when the other tables began. Errors: `lake_damaged`.
   */
  async idOf(id: string, signal?: AbortSignal): Promise<string | undefined> {
    const folders = await readdir(this.folder).catch(() => [])
    const undeclared = folders.filter((name) => resourceNamed(name) === undefined).map((name) => ({ name }))
    const versions = versionsOfId(id, [...resources, ...undeclared])
    const named = await this.#digestsOf(versions ?? new Map(), signal)
    if (named === undefined || (namesItsLake(id) && writeSnapshotId(named) !== id)) return undefined
    if (!namesItsLake(id) && (await this.#lacksTable(named, signal))) return undefined
    return writeSnapshotId(named.filter(({ resource }) => resourceNamed(resource.name))) || undefined
  }

  /** Whether a table had rows when the last of the named versions was committed and is not among them. */
  async #lacksTable(named: readonly NamedCommit[], signal: AbortSignal | undefined): Promise<boolean> {
    const time = Math.max(...named.map(({ committedAt }) => committedAt))
    const then = await this.times.versionsAt(time, await this.latest(), signal)
    const names = new Set(named.map(({ resource }) => resource.name))
    return [...then.keys()].some(({ name }) => !names.has(name))
  }

  /** The id of a snapshot of these versions; undefined when there are none, or one of them does not exist. */
  async idAt(versions: ReadonlyMap<Resource, number>, signal?: AbortSignal): Promise<string | undefined> {
    return writeSnapshotId((await this.#digestsOf(versions, signal)) ?? []) || undefined
  }

  /** Undefined when one of the versions does not exist. */
  async #digestsOf(
    versions: ReadonlyMap<TableName, number>,
    signal: AbortSignal | undefined,
  ): Promise<readonly NamedCommit[] | undefined> {
    const named: NamedCommit[] = []
    for (const [resource, version] of versions) {
      signal?.throwIfAborted()
      const known = this.#tables.get(resource.name)
      if (known?.version === version) {
        named.push({ resource, version, digest: known.digest, committedAt: known.committedAt })
        continue
      }
      const commit = await readCommit(tableFolder(this.folder, resource), version)
      if (commit === undefined) return undefined
      named.push({ resource, version, digest: commit.entryDigest, committedAt: commit.committedAt })
    }
    return named
  }

  /** The snapshot of an id as `idOf` gives it, or of an old one; undefined when it is none of this lake. Errors: `lake_damaged`. */
  async at(id: string, signal?: AbortSignal): Promise<Snapshot | undefined> {
    const tables: TableSnapshot[] = []
    const versions = versionsOfId(id)
    for (const resource of resources) {
      const version = versions?.get(resource)
      if (version === undefined) continue
      const known = this.#tables.get(resource.name)
      const table = known?.version === version ? known : await this.#read(resource, version, signal)
      if (table === undefined) return undefined
      tables.push(table)
    }
    const snapshot = new Snapshot(tables)
    return snapshot.isEmpty || (namesItsLake(id) && snapshot.id !== id) ? undefined : snapshot
  }

  /** Goes on from the log that was read last, where that is a little older. */
  async #read(resource: Resource, version: number, signal?: AbortSignal): Promise<TableSnapshot | undefined> {
    const older = this.#older.get(resource)
    const steps = version - (older?.version ?? 0)
    const from = steps >= 0 && steps <= MOST_STEPS ? older : undefined
    const log = await readTableLog(tableFolder(this.folder, resource), { from, version, signal })
    if (log === undefined) return undefined
    this.#older.set(resource, log)
    return await this.#open(resource, log, signal)
  }

  async #advance(resource: Resource): Promise<boolean> {
    const from = this.#logs.get(resource)
    const log = await readTableLog(tableFolder(this.folder, resource), { from })
    if (log === undefined && from !== undefined) {
      fail('lake_damaged', `The table ${resource.name} of ${this.folder} is gone; restore it from a copy.`)
    }
    if (log === undefined || log.entryDigest === from?.entryDigest) return false
    const table = await this.#open(resource, log)
    this.#logs.set(resource, log)
    this.#tables.set(resource.name, table)
    return true
  }

  async #open(resource: Resource, log: TableLog, signal?: AbortSignal): Promise<TableSnapshot> {
    const folder = tableFolder(this.folder, resource)
    return new TableSnapshot(resource, log, await this.#files.load(resource, folder, log.live, signal))
  }
}

/** Opens a lake that must exist; one that was not filled yet may be an empty folder. Errors: `not_ready`, `lake_damaged`. */
export async function openLake(folder: string): Promise<Lake> {
  const there = await stat(folder).catch((cause) => {
    if (isMissing(cause)) return undefined
    return fail('lake_damaged', `The folder ${folder} cannot be read: ${sentenceOf(cause)}.`, { cause })
  })
  if (there === undefined) {
    fail(
      'not_ready',
      `There is no lake at ${folder}; make one with: ledgerlake ingest PATH... --lake ${folder}`,
    )
  }
  if (!there.isDirectory()) fail('not_ready', `${folder} is a file; the folder of a lake is accepted.`)
  const names = await readdir(folder).catch((cause) =>
    fail('lake_damaged', `The folder ${folder} cannot be read; a readable folder is accepted.`, { cause }),
  )
  if (names.includes(basename(restoredFolder(folder))))
    fail('not_ready', `A restore to ${folder} is not complete; run the same ledgerlake restore again.`)
  refuseOtherFolder(folder, names)
  return new Lake(folder)
}

/** Folders that a file system or an ingest has made before the first table is there. */
const notYetALake = /^[._]|^lost\+found$/

function refuseOtherFolder(folder: string, names: readonly string[]): void {
  if (names.includes('_delta_log')) {
    fail(
      'not_ready',
      `${folder} is one table; the lake that it belongs to, ${join(folder, '..')}, is accepted.`,
    )
  }
  const others = names.filter((name) => !notYetALake.test(name))
  const hasTable = resources.some(({ name }) => others.includes(name))
  if (hasTable || others.length === 0) return
  fail(
    'not_ready',
    `${folder} is no lake: it has other things, such as ${others.sort()[0]}, and no table; a lake or an empty folder is accepted.`,
  )
}
