import { groupBy } from '../../base/maps.ts'
import { shortKey } from '../parts/facts.ts'
import { h } from '../parts/h.ts'
import type { TableColumn } from '../parts/table.ts'
import { pagePath } from '../values/addresses.ts'
import { compare } from '../values/amounts.ts'
import { networkIds, networkNames } from '../values/networks.ts'
import { amounts, lacksPrice, type TokenEarnings, totalUsd, usdColumn } from './earned.ts'
import type { GroupSum } from './group-sums.ts'

/** The earnings of a hotspot in all tokens. */
export interface HotspotSums {
  readonly key: string
  readonly name: string | null
  readonly earned: readonly TokenEarnings[]
}

/** Adds the groups of each hotspot, most USD first. */
export function sumsOfHotspots(paid: readonly GroupSum[]): readonly HotspotSums[] {
  const ofHotspots = paid.filter(({ group }) => group !== null)
  return [...groupBy(ofHotspots, ({ group }) => group ?? '')]
    .map(([key, sums]) => ({
      key,
      name: sums[0]?.name ?? null,
      earned: sums.map(({ earned }) => earned),
    }))
    .sort((one, other) => compare(totalUsd(other.earned) ?? '-1', totalUsd(one.earned) ?? '-1'))
}

/** The median USD of the hotspots of groups, the lower of two, and their number; undefined without any, or if a price is unknown. */
export function medianUsd(
  paid: readonly GroupSum[],
): { readonly usd: string; readonly hotspots: number } | undefined {
  const sums = sumsOfHotspots(paid)
  if (sums.some(({ earned }) => lacksPrice(earned))) return undefined
  // The most comes first.
  const usd = totalUsd(sums[sums.length >> 1]?.earned ?? [])
  return usd === undefined ? undefined : { usd, hotspots: sums.length }
}

/** The columns of a table of hotspots: name, each network that paid one of them, USD. */
export function hotspotColumns(
  base: string,
  rows: readonly HotspotSums[],
): readonly TableColumn<HotspotSums>[] {
  const paying = networkIds.filter((id) =>
    rows.some((row) => row.earned.some(({ network }) => network === id)),
  )
  return [
    {
      title: 'Hotspot',
      cell: ({ key, name }) => h('a', { href: base + pagePath('hotspot', key) }, name ?? shortKey(key)),
    },
    ...paying.map((id) => ({
      title: networkNames[id],
      isNumber: true,
      cell: ({ earned }: HotspotSums) => amounts(earned.filter(({ network }) => network === id)),
    })),
    usdColumn(rows, ({ earned }) => earned),
  ]
}
