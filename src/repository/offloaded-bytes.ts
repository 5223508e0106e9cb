import type { Resource } from '../catalog/resource.ts'
import type { Engine } from '../engine/engine.ts'
import { GroupStatistics } from '../lake/group-statistics.ts'
import type { PlacedGroup } from '../lake/series.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot.ts'
import type { GroupRange } from '../query/group-range.ts'
import type { Predicate } from '../query/plan.ts'
import { type OffloadedGroup, openOffloadedStore } from './offloaded-store.ts'

/** A source with its rows so far, at the price of its manifest: what its offloaded bytes follow from, and nothing else. */
interface PricedSource {
  readonly name: string
  readonly key: string
}

/** The sums of one version of a table at the prices of one version of the manifests. */
interface Prepared {
  readonly prices: ReadonlyMap<string, bigint>
  readonly column: string
  readonly statistics: GroupStatistics
}

/**
 * Sums of offloaded bytes, which no commit can carry: every row is rounded, and its price may come later.
 * The sums of a source follow from its rows and the price alone, so they are kept under its bytes, its number of rows
 * and the price, and never expire.
 */
export interface OffloadedBytes {
  /** Sums what was not summed yet of a version of a table at these prices. */
  prepare(
    resource: Resource,
    column: string,
    prices: ReadonlyMap<string, bigint>,
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<void>
  /** Exact sum over the groups of a range; sources without a price count as nothing. Undefined until it is prepared. */
  known(
    resource: Resource,
    column: string,
    range: GroupRange,
    prices: ReadonlyMap<string, bigint>,
    at: Snapshot,
  ): bigint | undefined
}

/** `stateFolder` may be missing or read-only: then the sums are computed anew after each start. */
export function openOffloadedBytes(engine: Engine, stateFolder: string): OffloadedBytes {
  const store = openOffloadedStore(stateFolder)
  const prepared = new WeakMap<TableSnapshot, Prepared>()
  let computing: Promise<void> = Promise.resolve()

  async function compute(
    resource: Resource,
    column: string,
    missing: readonly PricedSource[],
    prices: ReadonlyMap<string, bigint>,
    at: Snapshot,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const names = new Set(missing.map((source) => source.name))
    const groups = await engine.sums(
      {
        resource,
        where: periodsOf(resource, names, at),
        sums: { bytes: { column, as: 'offloaded_bytes' } },
        groupBy: ['source_file', 'end_period', 'reward_type'],
        prices: new Map([...prices].filter(([name]) => names.has(name))),
      },
      at,
      signal,
    )
    const computed = missing.map(({ name, key }): [string, readonly OffloadedGroup[]] => {
      const own = groups.filter(({ group }) => group.source_file === name)
      return [key, own.map(toOffloadedGroup)]
    })
    await store.remember(computed)
  }

  function preparedOf(column: string, prices: ReadonlyMap<string, bigint>, table: TableSnapshot) {
    const own = prepared.get(table)
    // The prices of one version of the manifests are one object.
    return own?.prices === prices && own.column === column ? own.statistics : undefined
  }

  return {
    known(resource, column, range, prices, at) {
      const statistics = preparedOf(column, prices, at.table(resource))
      return statistics && (statistics.sums(range, [BYTES])[BYTES] ?? 0n)
    },

    async prepare(resource, column, prices, at, signal) {
      if (preparedOf(column, prices, at.table(resource)) !== undefined) return
      await store.ready()
      const sources = pricedSources(resource, prices, at)
      const missing = () => sources.filter(({ key }) => store.groupsOf(key) === undefined)
      if (missing().length > 0) {
        // One after the other, so that equal requests do not compute the same twice.
        computing = computing
          .catch(() => {})
          .then(async () => {
            const stillMissing = missing()
            if (stillMissing.length > 0) await compute(resource, column, stillMissing, prices, at, signal)
          })
        await computing
      }
      const statistics = new GroupStatistics(
        sources.flatMap(({ name, key }) => placedGroups(name, store.groupsOf(key) ?? [])),
      )
      prepared.set(at.table(resource), { prices, column, statistics })
    },
  }
}

function pricedSources(
  resource: Resource,
  prices: ReadonlyMap<string, bigint>,
  at: Snapshot,
): readonly PricedSource[] {
  return [...at.table(resource).sources.values()].flatMap(({ name, sha256, rows }) => {
    const price = prices.get(name)
    // Refused messages may be taken in later, so the bytes alone do not tell the rows.
    return price === undefined ? [] : [{ name, key: `${sha256}:${rows}:${price}` }]
  })
}

/** The time range of the sources, so that a new day does not read the old ones. */
function periodsOf(resource: Resource, names: ReadonlySet<string>, at: Snapshot): readonly Predicate[] {
  const periods = at
    .table(resource)
    .files.flatMap((file) => file.sources)
    .filter((source) => names.has(source.name))
    .flatMap((source) => source.groups.map((group) => group.end_period))
    .sort((a, b) => (a < b ? -1 : 1))
  const [first] = periods
  const last = periods.at(-1)
  if (first === undefined || last === undefined) return []
  return [
    { column: 'end_period', match: 'atLeast', value: first },
    { column: 'end_period', match: 'atMost', value: last },
  ]
}

function toOffloadedGroup({ group, sums }: Awaited<ReturnType<Engine['sums']>>[number]): OffloadedGroup {
  return {
    end_period: group.end_period as bigint,
    reward_type: String(group.reward_type),
    bytes: sums.bytes ?? 0n,
  }
}

const BYTES = 'bytes'

/** The groups of a source as those of the log are, with offloaded bytes for their sum. */
function placedGroups(source: string, groups: readonly OffloadedGroup[]): readonly PlacedGroup[] {
  return groups.map(({ end_period, reward_type, bytes }) => ({
    ...{ end_period, reward_type, source, sums: { [BYTES]: bytes } },
    // Nobody asks where they lie.
    ...{ rows: 0, file: '', first: 0 },
  }))
}
