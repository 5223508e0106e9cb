import { bigintOf } from '../../catalog/column.ts'
import { between, type Predicate } from '../../catalog/query/plan.ts'
import { groupedBy } from '../../catalog/resource.ts'
import type { Engine } from '../../engine/engine.ts'
import type { LocatedGroup } from '../../lake/facts/group-series.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { OffloadedGroup } from './offloaded-store.ts'

/** Manifest prices by source file. */
export type ManifestPrices = ReadonlyMap<string, bigint>

/** A table with totals of offloaded bytes, and the column they are computed from. */
export interface Offloaded {
  readonly table: TableSnapshot
  readonly column: string
}

/** A source with its row count and price: the inputs of its offloaded bytes. */
export interface PricedSource {
  readonly name: string
  readonly key: string
}

/** The sources of a table that have a price. */
export function pricedSources({ sources }: TableSnapshot, prices: ManifestPrices): readonly PricedSource[] {
  return [...sources.values()].flatMap(({ name, sha256, rows }) => {
    const price = prices.get(name)
    // Refused messages may be ingested later, so the row count of a file can grow.
    return price === undefined ? [] : [{ name, key: `${sha256}:${rows}:${price}` }]
  })
}

/** Sums the offloaded bytes of sources, by key. */
export async function sumOffloaded(
  engine: Engine,
  { table, column }: Offloaded,
  sources: readonly PricedSource[],
  prices: ManifestPrices,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<readonly (readonly [key: string, groups: readonly OffloadedGroup[]])[]> {
  const names = new Set(sources.map((source) => source.name))
  const { resource } = table
  const { period, type } = groupedBy(resource)
  const groups = await engine.sums(
    {
      resource,
      where: periodsOf(period, table, names),
      sums: { [BYTES]: { column, as: 'offloaded_bytes' } },
      groupBy: ['source_file', period, type],
      prices: new Map([...prices].filter(([name]) => names.has(name))),
    },
    at,
    signal,
  )
  return sources.map(({ name, key }) => {
    const fileGroups = groups.filter(({ group }) => group.source_file === name)
    return [
      key,
      fileGroups.map(({ group, sums }) => ({
        period: bigintOf(group[period]),
        type: String(group[type]),
        bytes: sums[BYTES] ?? 0n,
      })),
    ]
  })
}

/** Limits the read to the time range of the sources. */
function periodsOf(
  column: string,
  { files }: TableSnapshot,
  names: ReadonlySet<string>,
): readonly Predicate[] {
  const periods = files
    .flatMap((file) => file.sources)
    .filter((source) => names.has(source.name))
    .flatMap((source) => source.groups.map((group) => group.period))
    .sort((a, b) => (a < b ? -1 : 1))
  const [first] = periods
  const last = periods.at(-1)
  return first === undefined || last === undefined ? [] : between(column, first, last)
}

/** Name of the sum, in engine results and in groups. */
export const BYTES = 'bytes'

/** Converts the groups of a source to groups of the log, with offloaded bytes as their sum. */
export function locatedGroups(source: string, groups: readonly OffloadedGroup[]): readonly LocatedGroup[] {
  return groups.map(({ period, type, bytes }) => ({
    ...{ period, type, source, sums: { [BYTES]: bytes } },
    // Only the sums are read.
    ...{ rows: 0, file: '', first: 0 },
  }))
}
