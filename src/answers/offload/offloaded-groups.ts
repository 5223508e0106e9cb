import { bigintOf } from '../../catalog/column.ts'
import type { Predicate } from '../../catalog/query/plan.ts'
import { groupedBy, type Resource } from '../../catalog/resource.ts'
import type { Engine } from '../../engine/engine.ts'
import type { PlacedGroup } from '../../lake/facts/series.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { OffloadedGroup } from './offloaded-store.ts'

/** Manifest prices by source file. */
export type Prices = ReadonlyMap<string, bigint>

/** A source with its rows so far, at the price of its manifest: what its offloaded bytes follow from, and nothing else. */
export interface PricedSource {
  readonly name: string
  readonly key: string
}

/** The sources of a table that have a price. */
export function pricedSources({ sources }: TableSnapshot, prices: Prices): readonly PricedSource[] {
  return [...sources.values()].flatMap(({ name, sha256, rows }) => {
    const price = prices.get(name)
    // Refused messages may be ingested later, so one file may have fewer rows now than then.
    return price === undefined ? [] : [{ name, key: `${sha256}:${rows}:${price}` }]
  })
}

/** Sums the offloaded bytes of some sources, by their keys. */
export async function sumOffloaded(
  engine: Engine,
  resource: Resource,
  column: string,
  sources: readonly PricedSource[],
  prices: Prices,
  at: Snapshot,
  signal: AbortSignal | undefined,
): Promise<readonly (readonly [key: string, groups: readonly OffloadedGroup[]])[]> {
  const names = new Set(sources.map((source) => source.name))
  const { period, type } = groupedBy(resource)
  const groups = await engine.sums(
    {
      resource,
      where: periodsOf(period, at.table(resource), names),
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

/** The time range of the sources, so that a new day does not read the old ones. */
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
  if (first === undefined || last === undefined) return []
  return [
    { column, match: 'atLeast', value: first },
    { column, match: 'atMost', value: last },
  ]
}

/** The name of the sum, in the engine's reply and in the groups of statistics. */
export const BYTES = 'bytes'

/** The groups of a source as those of the log are, with offloaded bytes for their sum. */
export function placedGroups(source: string, groups: readonly OffloadedGroup[]): readonly PlacedGroup[] {
  return groups.map(({ period, type, bytes }) => ({
    ...{ period, type, source, sums: { [BYTES]: bytes } },
    // Only sums are asked for, so these are not read.
    ...{ rows: 0, file: '', first: 0 },
  }))
}
