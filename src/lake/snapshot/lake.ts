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
import type { FilesElsewhere } from './gone-files.ts'
import { Snapshot, TableSnapshot } from './snapshot.ts'
import {
  type NamedVersion,
  namesItsLake,
  type TableName,
  versionsOfId,
  writeSnapshotId,
} from './snapshot-id.ts'

/** Beyond this distance a log is read from a checkpoint rather than from an older state. */
const MOST_STEPS = 100

interface NamedCommit extends NamedVersion {
  /** Milliseconds since 1970. */
  readonly committedAt: number
}

/** A folder of Delta tables, read incrementally: each log entry is opened once. */
export class Lake {
  readonly folder: string
  /** Origin of a copy, which may have files that the folder lacks. */
  readonly elsewhere: FilesElsewhere | undefined
  readonly times: CommitTimes
  readonly #logs = new Map<Resource, TableLog>()
  readonly #tables = new Map<string, TableSnapshot>()
  readonly #older = new Map<Resource, TableLog>()
  readonly #files = new DataFiles()
  #latest = new Snapshot([])
  #isOutdated = false

  constructor(folder: string, elsewhere?: FilesElsewhere) {
    this.folder = folder
    this.elsewhere = elsewhere
    this.times = new CommitTimes(folder)
  }

  /** Returns the newest snapshot; the same object until the next commit. Errors: `lake_damaged`. */
  async latest(): Promise<Snapshot> {
    const snapshot = await this.latestReadable()
    for (const fault of snapshot.unreadable.values()) throw fault
    return snapshot
  }

  /**
   * Returns the newest snapshot without the tables whose log is damaged and was never read.
   * Errors: `lake_damaged` when no table is readable, or a table that was read before is damaged.
   */
  async latestReadable(): Promise<Snapshot> {
    const unreadable = new Map<string, ServiceError>()
    // A field, because a later table may throw before the new snapshot is made.
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
   * Returns the canonical id of a snapshot of this lake; undefined when it has no such snapshot. Accepts ids from
   * before ids named their lake, and with tables that this build no longer declares. Reads one log entry per table, and
   * for an old id the first commit times of the other tables.
   * Errors: `lake_damaged`.
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

  /** Checks whether a table that is not named existed when the last of the named versions was committed. */
  async #lacksTable(named: readonly NamedCommit[], signal: AbortSignal | undefined): Promise<boolean> {
    const time = Math.max(...named.map(({ committedAt }) => committedAt))
    const versions = await this.times.versionsAt(time, await this.latest(), signal)
    const names = new Set(named.map(({ resource }) => resource.name))
    return [...versions.keys()].some(({ name }) => !names.has(name))
  }

  /** Returns the id of a snapshot of these versions; undefined when empty, or when a version does not exist. */
  async idAt(versions: ReadonlyMap<Resource, number>, signal?: AbortSignal): Promise<string | undefined> {
    return writeSnapshotId((await this.#digestsOf(versions, signal)) ?? []) || undefined
  }

  /** Returns undefined when a version does not exist. */
  async #digestsOf(
    versions: ReadonlyMap<TableName, number>,
    signal: AbortSignal | undefined,
  ): Promise<readonly NamedCommit[] | undefined> {
    const named: NamedCommit[] = []
    for (const [resource, version] of versions) {
      signal?.throwIfAborted()
      const newest = this.#tables.get(resource.name)
      if (newest?.version === version) {
        named.push({ resource, version, digest: newest.digest, committedAt: newest.committedAt })
        continue
      }
      const commit = await readCommit(tableFolder(this.folder, resource), version)
      if (commit === undefined) return undefined
      named.push({ resource, version, digest: commit.entryDigest, committedAt: commit.committedAt })
    }
    return named
  }

  /** Opens the snapshot of an id, canonical or old; undefined when this lake has none. Errors: `lake_damaged`. */
  async at(id: string, signal?: AbortSignal): Promise<Snapshot | undefined> {
    const tables: TableSnapshot[] = []
    const versions = versionsOfId(id)
    for (const resource of resources) {
      const version = versions?.get(resource)
      if (version === undefined) continue
      const newest = this.#tables.get(resource.name)
      const table = newest?.version === version ? newest : await this.#read(resource, version, signal)
      if (table === undefined) return undefined
      tables.push(table)
    }
    const snapshot = new Snapshot(tables)
    return snapshot.isEmpty || (namesItsLake(id) && snapshot.id !== id) ? undefined : snapshot
  }

  /** Continues from the older log that was read last, if it is close enough. */
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

/** Opens an existing lake; an empty folder is a lake without tables. Errors: `not_ready`, `lake_damaged`. */
export async function openLake(folder: string, elsewhere?: FilesElsewhere): Promise<Lake> {
  const stats = await stat(folder).catch((cause) => {
    if (isMissing(cause)) return undefined
    return fail('lake_damaged', `The folder ${folder} cannot be read: ${sentenceOf(cause)}.`, { cause })
  })
  if (stats === undefined) {
    fail(
      'not_ready',
      `There is no lake at ${folder}; make one with: ledgerlake ingest PATH... --lake ${folder}`,
    )
  }
  if (!stats.isDirectory()) fail('not_ready', `${folder} is a file; use the folder of a lake.`)
  const names = await readdir(folder).catch((cause) =>
    fail('lake_damaged', `The folder ${folder} cannot be read; give access to it, or use another folder.`, {
      cause,
    }),
  )
  if (names.includes(basename(restoredFolder(folder))))
    fail('not_ready', `A restore to ${folder} is not complete; run the same ledgerlake restore again.`)
  refuseOtherFolder(folder, names)
  return new Lake(folder, elsewhere)
}

/** Names that a file system or an ingest creates before the first table. */
const ignoredNames = /^[._]|^lost\+found$/

function refuseOtherFolder(folder: string, names: readonly string[]): void {
  if (names.includes('_delta_log')) {
    fail('not_ready', `${folder} is one table; use the lake that it belongs to, ${join(folder, '..')}.`)
  }
  const foreign = names.filter((name) => !ignoredNames.test(name))
  const hasTable = resources.some(({ name }) => foreign.includes(name))
  if (hasTable || foreign.length === 0) return
  fail(
    'not_ready',
    `${folder} is not a lake: it has other things, such as ${foreign.sort()[0]}, and no table; use a lake or an empty folder.`,
  )
}
