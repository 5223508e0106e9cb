import type { Resource } from '../../catalog/resource.ts'
import { tableFolder } from '../disk/layout.ts'
import { readCommit } from '../log/delta-log.ts'
import type { Snapshot, TableSnapshot } from './snapshot.ts'
import { TableTimes } from './table-times.ts'

/** Milliseconds since 1970, both included. */
export interface Bounds {
  readonly first: number
  readonly last: number
}

/** Commit times of versions, read on demand and cached: eight bytes a commit. */
export class CommitTimes {
  readonly #lake: string
  readonly #tables = new Map<Resource, TableTimes>()

  constructor(lake: string) {
    this.#lake = lake
  }

  /** Returns the times of the first and the last commit of a snapshot's lake. Errors: `lake_damaged`. */
  async boundsOf(newest: Snapshot, signal?: AbortSignal): Promise<Bounds> {
    const bounds: Bounds[] = []
    for (const table of newest.tables) {
      const times = await this.#timesOf(table)
      bounds.push({ first: await times.first(table, signal), last: await times.last(table, signal) })
    }
    return {
      first: Math.min(...bounds.map(({ first }) => first)),
      last: Math.max(...bounds.map(({ last }) => last)),
    }
  }

  /**
   * Returns the versions that the tables of a snapshot had at a time, in milliseconds, without tables that did not
   * exist yet. An abort keeps the times read so far.
   * Errors: `lake_damaged`.
   */
  async versionsAt(
    time: number,
    newest: Snapshot,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<Resource, number>> {
    const versions = new Map<Resource, number>()
    for (const table of newest.tables) {
      const version = await (await this.#timesOf(table)).versionAt(time, table, signal)
      if (version >= 0) versions.set(table.resource, version)
    }
    return versions
  }

  /** Discards cached times if another lake has the same path now. */
  async #timesOf(table: TableSnapshot): Promise<TableTimes> {
    const { version, digest } = table
    const cached = this.#tables.get(table.resource)
    if (
      cached !== undefined &&
      (await this.#digestOf(table, cached.newest.version)) === cached.newest.digest
    ) {
      if (version > cached.newest.version) cached.newest = { version, digest }
      return cached
    }
    const times = new TableTimes(tableFolder(this.#lake, table.resource), { version, digest })
    this.#tables.set(table.resource, times)
    return times
  }

  async #digestOf(table: TableSnapshot, version: number): Promise<string | undefined> {
    if (version === table.version) return table.digest
    return (await readCommit(tableFolder(this.#lake, table.resource), version))?.entryDigest
  }
}
