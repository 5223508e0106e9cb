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

/** When versions were committed, of as many as were asked for: eight bytes a commit, each read once. */
export class CommitTimes {
  readonly #lake: string
  readonly #tables = new Map<Resource, TableTimes>()

  constructor(lake: string) {
    this.#lake = lake
  }

  /** The times of the first and of the last commit of a snapshot's lake. Errors: `lake_damaged`. */
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
   * The versions that the tables of a snapshot had at a time, in milliseconds; a table that did not exist yet is left out. What
   * was read stays known when the signal ends it. Errors: `lake_damaged`.
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

  /** Begins anew where another lake has come to the same place. */
  async #timesOf(table: TableSnapshot): Promise<TableTimes> {
    const { version, digest } = table
    const known = this.#tables.get(table.resource)
    if (known !== undefined && (await this.#digestOf(table, known.newest.version)) === known.newest.digest) {
      if (version > known.newest.version) known.newest = { version, digest }
      return known
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
