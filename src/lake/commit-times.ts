import type { Resource } from '../catalog/resource.ts'
import { LAST_INSTANT } from '../derive/instant.ts'
import { readCommit } from './delta-log.ts'
import { firstPlace } from './first-place.ts'
import { tableFolder } from './layout.ts'
import type { Snapshot, TableSnapshot } from './snapshot.ts'

/** Milliseconds since 1970, both included. */
export interface Bounds {
  readonly first: number
  readonly last: number
}

interface TableTimes {
  /** When each version was committed, in milliseconds since 1970; never less than the one before. */
  readonly times: number[]
  /** Digest of the newest entry that was read: where it differs, another lake has come to the same place. */
  digest: string
}

const READ_AT_ONCE = 16

/** When versions were committed. Eight bytes a commit, each read once. */
export class CommitTimes {
  readonly #lake: string
  readonly #tables = new Map<Resource, TableTimes>()

  constructor(lake: string) {
    this.#lake = lake
  }

  /** Reads what is not known yet, up to a snapshot; what was read stays known when the signal ends it. Errors: `lake_damaged`. */
  async read(newest: Snapshot, signal: AbortSignal | undefined): Promise<void> {
    for (const table of newest.tables) {
      const known = await this.#known(table)
      while (known.times.length <= table.version) {
        signal?.throwIfAborted()
        await this.#readSome(table, known)
      }
    }
  }

  async #known(table: TableSnapshot): Promise<TableTimes> {
    const known = this.#tables.get(table.resource)
    const last = (known?.times.length ?? 0) - 1
    if (known !== undefined && (last < 0 || (await this.#digestOf(table, last)) === known.digest))
      return known
    const none = { times: [], digest: '' }
    this.#tables.set(table.resource, none)
    return none
  }

  async #digestOf(table: TableSnapshot, version: number): Promise<string | undefined> {
    if (version === table.version) return table.digest
    return (await readCommit(tableFolder(this.#lake, table.resource), version))?.entryDigest
  }

  async #readSome({ resource, version }: TableSnapshot, known: TableTimes): Promise<void> {
    const first = known.times.length
    const count = Math.min(READ_AT_ONCE, version + 1 - first)
    const folder = tableFolder(this.#lake, resource)
    const commits = await Promise.all(Array.from({ length: count }, (_, n) => readCommit(folder, first + n)))
    // Somebody else may have read them meanwhile.
    if (known.times.length !== first) return
    for (const commit of commits) known.times.push(Math.max(known.times.at(-1) ?? 0, timeOf(commit)))
    known.digest = commits.at(-1)?.entryDigest ?? ''
  }

  /** The times of the first and of the last commit of a snapshot's lake. */
  boundsOf(newest: Snapshot): Bounds {
    const times = newest.tables.flatMap(({ resource }) => {
      const own = this.#tables.get(resource)?.times ?? []
      return [own.find((time) => time > 0) ?? 0, own.at(-1) ?? 0]
    })
    return { first: Math.min(...times), last: Math.max(...times) }
  }

  /** The versions that the tables of a snapshot had at a time, in milliseconds; a table that did not exist yet is left out. */
  versionsAt(time: number, newest: Snapshot): ReadonlyMap<Resource, number> {
    const versions = newest.tables.map(({ resource, version }) => {
      const next = firstAfter(this.#tables.get(resource)?.times ?? [], time)
      return [resource, Math.min(next - 1, version)] as const
    })
    return new Map(versions.filter(([, version]) => version >= 0))
  }
}

/** A commit that names no time, or one after all instants, counts as old as the one before it. */
function timeOf(commit: { readonly committedAt: number } | undefined): number {
  const time = commit?.committedAt ?? 0
  return BigInt(time) * 1000n <= LAST_INSTANT ? time : 0
}

/** The index of the first of the ascending times that is later. */
function firstAfter(times: readonly number[], time: number): number {
  return firstPlace(times.length, (place) => (times[place] ?? 0) > time)
}
