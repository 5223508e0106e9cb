import type { Context } from '../ask/context.ts'
import type { ChartRow, Selection, Span } from '../ask/series.ts'
import { shortKey } from '../parts/facts.ts'
import { h, paragraph } from '../parts/h.ts'
import { pagedTable } from '../parts/paged-table.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import type { TableColumn } from '../parts/table.ts'
import { compare, grouped } from '../values/amounts.ts'
import { groupBy } from '../values/group.ts'
import { networkIds, networkNames } from '../values/networks.ts'
import { amounts, type TokenEarnings, totalUsd, usd } from './earned.ts'
import { askGroups, type GroupSum, hotspotColumn } from './group-sums.ts'

interface HotspotSums {
  readonly key: string
  readonly earned: readonly TokenEarnings[]
}

/**
 * A table of hotspots and their earnings over a span, most USD first. `limit` bounds the hotspots per token.
 * A hotspot that was requested by name is shown with its name.
 */
export function hotspotTable(
  { api, base }: Context,
  title: string,
  whose: Selection,
  span: Span,
  limit: number,
): HTMLElement {
  return panel(title, async () => {
    const given = { group_by: 'hotspot', limit: String(limit) }
    const { paid, series, addresses } = await askGroups(api, whose, span, given)
    const rows = sumsOf(paid)
    if (rows.length === 0)
      return [paragraph('No hotspot earned anything in these days.'), requests(...addresses)]
    const { hotspots: requested = null, names } = series[0]?.meta ?? {}
    const nameOf = new Map(Object.entries(names ?? {}).map(([name, key]) => [key, name]))
    const paying = networkIds.filter((network) => paid.some(({ earned }) => earned.network === network))
    const columns: readonly TableColumn<HotspotSums>[] = [
      hotspotColumn(base, (key) => nameOf.get(key) ?? shortKey(key)),
      ...paying.map((network) => ({
        title: networkNames[network],
        isNumber: true,
        cell: ({ earned }: HotspotSums) => amounts(earned.filter((one) => one.network === network)),
      })),
      { title: 'USD', isNumber: true, isLead: true, cell: ({ earned }) => usd(earned) },
    ]
    const shown = rows.slice(0, limit)
    const isCut = series.some(({ records }) => isFull(records, limit))
    const isShort = isCut && requested !== null && BigInt(requested) > limit
    return [
      isShort ? notAll(shown.length, requested, limit) : undefined,
      pagedTable(title, columns, shown),
      requests(...addresses),
    ]
  })
}

/** Returns true if a token has `limit` groups, so that more may exist. */
function isFull(records: readonly ChartRow[], limit: number): boolean {
  const groups = records.filter(({ group }) => group !== null)
  return [...groupBy(groups, ({ token }) => token ?? '').values()].some((own) => own.length >= limit)
}

function notAll(shown: number, requested: string, limit: number): HTMLElement {
  return h(
    'p.note',
    { role: 'note' },
    `${grouped(String(shown))} of ${grouped(requested)} hotspots are shown, those that earned most. The sums above count all of them. ` +
      `For each token the server returns the ${grouped(String(limit))} hotspots that earned most of it, so some amounts may be missing in this table; ` +
      'the statement below has every reward.',
  )
}

function sumsOf(paid: readonly GroupSum[]): readonly HotspotSums[] {
  const ofHotspots = paid.filter(({ group }) => group !== null)
  return [...groupBy(ofHotspots, ({ group }) => group ?? '')]
    .map(([key, own]) => ({ key, earned: own.map(({ earned }) => earned) }))
    .sort((one, other) => compare(totalUsd(other.earned) ?? '-1', totalUsd(one.earned) ?? '-1'))
}
