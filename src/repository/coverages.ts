import { hasEpochs } from '../catalog/embeddings.ts'
import { rewardManifests } from '../catalog/l2/reward-manifests.ts'
import type { Resource } from '../catalog/resource.ts'
import { resources } from '../catalog/resources.ts'
import type { Filters } from '../derive/filter-values.ts'
import { LAST_INSTANT } from '../derive/instant.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot.ts'
import { type EndsOfPeriods, TableCoverage } from './coverage.ts'
import type { ManifestIndex, ReadManifests } from './manifests.ts'

/** How complete the tables of reward shares are. Each is worked out once for its version and that of the manifests. */
export interface Coverages {
  /** Undefined for a table without epochs, and while the manifests were not read. Reads nothing. */
  known(resource: Resource, at: Snapshot): TableCoverage | undefined
  /** By the log alone, where the manifests cannot be read; undefined for a table without epochs. */
  logged(resource: Resource, at: Snapshot): TableCoverage | undefined
  /** Reads the manifests, so that all tables of the snapshot are known. Errors: `lake_damaged`. */
  read(at: Snapshot, signal?: AbortSignal): Promise<void>
  /** From the first epoch of a table to the last of any, by rows or manifests; undefined when there is none. */
  span(resource: Resource, at: Snapshot): EndsOfPeriods | undefined
}

export function openCoverages(manifestsAt: ReadManifests): Coverages {
  const made = new WeakMap<ManifestIndex, WeakMap<TableSnapshot, TableCoverage>>()
  const ofLog = new WeakMap<TableSnapshot, TableCoverage>()

  function kept(
    by: WeakMap<TableSnapshot, TableCoverage>,
    table: TableSnapshot,
    make: () => TableCoverage,
  ): TableCoverage | undefined {
    if (!hasEpochs(table.resource)) return undefined
    const coverage = by.get(table) ?? make()
    by.set(table, coverage)
    return coverage
  }

  function known(resource: Resource, at: Snapshot): TableCoverage | undefined {
    const index = manifestsAt.known(at)
    if (index === undefined) return undefined
    const ofIndex = made.get(index) ?? new WeakMap<TableSnapshot, TableCoverage>()
    made.set(index, ofIndex)
    const table = at.table(resource)
    const committedAt = Math.max(table.committedAt, at.table(rewardManifests).committedAt)
    return kept(ofIndex, table, () => new TableCoverage(table, index.rows, committedAt))
  }

  return {
    known,
    logged(resource, at) {
      const table = at.table(resource)
      return kept(ofLog, table, () => new TableCoverage(table, []))
    },
    async read(at, signal) {
      await manifestsAt(at, signal)
    },
    span(resource, at) {
      const own = known(resource, at)?.known
      if (own === undefined) return undefined
      let { to } = own
      for (const end of resources.flatMap((one) => known(one, at)?.known?.to ?? [])) if (end > to) to = end
      return { from: own.from, to }
    },
  }
}

/** The ends of periods that checked filters let through. */
export function endsOf({ filters: declared = {} }: Resource, filters: Filters): EndsOfPeriods {
  const bound = (match: 'atLeast' | 'atMost', unlessGiven: bigint) => {
    const name = Object.keys(declared).find((own) => declared[own]?.match === match) ?? ''
    const value = filters[name]
    return typeof value === 'bigint' ? value : unlessGiven
  }
  return { from: bound('atLeast', 0n), to: bound('atMost', LAST_INSTANT) }
}
