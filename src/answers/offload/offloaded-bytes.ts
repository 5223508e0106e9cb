import { rm } from 'node:fs/promises'
import { writeInstant } from '../../base/values/instant.ts'
import type { GroupRange } from '../../catalog/query/group-range.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Engine } from '../../engine/engine.ts'
import { compareSums } from '../../index/maintenance/compare-sums.ts'
import type { Derived } from '../../index/maintenance/derived.ts'
import type { LocatedGroup } from '../../lake/facts/group-series.ts'
import { GroupStatistics } from '../../lake/facts/group-statistics.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { ReadManifests } from '../records/manifests.ts'
import {
  BYTES,
  locatedGroups,
  type ManifestPrices,
  type Offloaded,
  pricedSources,
  sumOffloaded,
} from './offloaded-groups.ts'
import { type OffloadedGroup, openOffloadedStore } from './offloaded-store.ts'

interface Prepared {
  readonly prices: ManifestPrices
  readonly column: string
  readonly statistics: GroupStatistics
}

/**
 * Sums of offloaded bytes. Each row is rounded and its price may arrive later, so no commit can carry them. The sums
 * of a source depend only on its bytes, row count and price; the store keys them by these and never expires them.
 */
export interface OffloadedBytes extends Derived {
  /**
   * Exact sum over a range at the prices of the snapshot; sources without a price add 0. Returns undefined until it
   * is built.
   */
  peek(resource: Resource, column: string, range: GroupRange, at: Snapshot): bigint | undefined
  /** Returns the sums per group; `BYTES` names the sum. */
  groups(
    resource: Resource,
    column: string,
    range: GroupRange,
    at: Snapshot,
  ): readonly LocatedGroup[] | undefined
}

/** `stateFolder` may be missing or read-only: sums are then recomputed after each start. */
export function openOffloadedBytes(
  engine: Engine,
  manifestsAt: ReadManifests,
  stateFolder: string,
): OffloadedBytes {
  const store = openOffloadedStore(stateFolder)
  const prepared = new WeakMap<TableSnapshot, Prepared>()
  let computing: Promise<void> = Promise.resolve()

  function preparedOf(column: string, prices: ManifestPrices | undefined, table: TableSnapshot) {
    const existing = prepared.get(table)
    // One object holds the prices of one version of the manifests.
    return existing?.prices === prices && existing?.column === column ? existing.statistics : undefined
  }

  const missingOf = (table: TableSnapshot, prices: ManifestPrices) =>
    pricedSources(table, prices).filter(({ key }) => store.groupsOf(key) === undefined)

  async function prepare(
    offloaded: Offloaded,
    prices: ManifestPrices,
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<void> {
    const { table, column } = offloaded
    if (preparedOf(column, prices, table) !== undefined) return
    await store.ready()
    if (missingOf(table, prices).length > 0) {
      // Serialized, so that concurrent requests share the work.
      computing = computing
        .catch(() => {})
        .then(async () => {
          const missing = missingOf(table, prices)
          if (missing.length === 0) return
          await store.remember(await sumOffloaded(engine, offloaded, missing, prices, at, signal))
        })
      await computing
    }
    const groups = pricedSources(table, prices).flatMap(({ name, key }) =>
      locatedGroups(name, store.groupsOf(key) ?? []),
    )
    prepared.set(table, { prices, column, statistics: new GroupStatistics(groups) })
  }

  /** Recomputes and compares the stored sums of a snapshot. */
  async function differenceOf(
    stored: ReadonlyMap<string, readonly OffloadedGroup[]>,
    at: Snapshot,
  ): Promise<string | undefined> {
    const { prices } = await manifestsAt(at)
    for (const offloaded of offloadedIn(at)) {
      const sources = pricedSources(offloaded.table, prices).filter(({ key }) => stored.has(key))
      if (sources.length === 0) continue
      for (const [key, groups] of await sumOffloaded(engine, offloaded, sources, prices, at)) {
        const difference = compareSums(namedSums(stored.get(key) ?? []), namedSums(groups))
        if (difference !== undefined) return difference
      }
    }
    return undefined
  }

  return {
    name: 'offloaded bytes',
    speedsUp: 'totals of offloaded bytes',

    peek(resource, column, range, at) {
      const statistics = preparedOf(column, manifestsAt.peek(at)?.prices, at.table(resource))
      return statistics?.summing(range)(BYTES)
    },

    groups: (resource, column, range, at) =>
      preparedOf(column, manifestsAt.peek(at)?.prices, at.table(resource))?.groups(range),

    async load(at) {
      const { prices } = await manifestsAt(at)
      await store.ready()
      const isMissing = ({ table }: Offloaded) => missingOf(table, prices).length > 0
      if (offloadedIn(at).some(isMissing)) await store.again()
      const lacking: TableSnapshot[] = []
      for (const offload of offloadedIn(at)) {
        if (isMissing(offload)) lacking.push(offload.table)
        else await prepare(offload, prices, at)
      }
      return lacking
    },

    lacks(at) {
      const prices = manifestsAt.peek(at)?.prices
      return offloadedIn(at).some(({ table, column }) => preparedOf(column, prices, table) === undefined)
    },

    async build(at, { signal } = {}) {
      const { prices } = await manifestsAt(at, signal)
      for (const offload of offloadedIn(at)) await prepare(offload, prices, at, signal)
    },

    async files(at) {
      const written = await store.stored()
      if (written === undefined) return []
      const groups = async () => (await store.stored())?.groups
      return [
        {
          path: written.path,
          fault: async () => ((await groups()) === undefined ? 'is not as it was written' : undefined),
          difference: async () => await differenceOf((await groups()) ?? new Map(), at),
          remove: () => rm(written.path, { force: true }),
        },
      ]
    },

    async forget(table) {
      prepared.delete(table)
      await store.forget([...table.sources.values()].map(({ sha256 }) => `${sha256}:`))
    },
  }
}

const namedSums = (groups: readonly OffloadedGroup[]) =>
  new Map(groups.map(({ period, type, bytes }) => [`${type} at ${writeInstant(period)}`, [bytes]]))

function offloadedIn({ tables }: Snapshot): readonly Offloaded[] {
  return tables.flatMap((table) =>
    Object.values(table.resource.totals ?? {}).flatMap((member) =>
      typeof member === 'object' && member.derive === 'offloaded_bytes' ? [{ table, column: member.of }] : [],
    ),
  )
}
