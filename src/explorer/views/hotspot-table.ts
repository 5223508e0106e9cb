import { groupBy } from '../../base/maps.ts'
import type { Context } from '../ask/context.ts'
import type { ChartRow, Selection, Span } from '../ask/series.ts'
import { shortKey } from '../parts/facts.ts'
import { h, paragraph } from '../parts/h.ts'
import { pagedTable } from '../parts/paged-table.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import type { TableColumn } from '../parts/table.ts'
import { compare, grouped } from '../values/amounts.ts'
import { networkIds, networkNames } from '../values/networks.ts'
import { compared } from './compared.ts'
import { amounts, type TokenEarnings, totalUsd, usd } from './earned.ts'
import { askGroups, type GroupSum, hotspotColumn } from './group-sums.ts'

interface HotspotSums {
  readonly key: string
  readonly earned: readonly TokenEarnings[]
}

/** The server's limit of hotspots per token in a series. */
const MOST = 1000

/** The table and the medians come from the same replies. */
const request = { group_by: 'hotspot', limit: String(MOST), median: 'true' }

/** A table of several hotspots, and their medians compared with the network. */
export const eachHotspot = (context: Context, whose: Selection, span: Span) => [
  hotspotTable(context, whose, span),
  compared(context, whose, span, request),
]

/** A table of hotspots and their earnings over a span, most USD first. A hotspot is shown with the name that requested it. */
function hotspotTable({ api, base }: Context, whose: Selection, span: Span): HTMLElement {
  return panel(TITLE, async () => {
    const { paid, series, addresses } = await askGroups(api, whose, span, request)
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
    const shown = rows.slice(0, MOST)
    const isCut = series.some(({ records }) => isFull(records))
    const isShort = isCut && requested !== null && BigInt(requested) > MOST
    return [
      isShort ? notAll(shown.length, requested) : undefined,
      pagedTable(TITLE, columns, shown),
      requests(...addresses),
    ]
  })
}

const TITLE = 'Each hotspot'

/** Returns true if a token has as many groups as a series may have, so that more may exist. */
function isFull(records: readonly ChartRow[]): boolean {
  const groups = records.filter(({ group }) => group !== null)
  return [...groupBy(groups, ({ token }) => token ?? '').values()].some((own) => own.length >= MOST)
}

function notAll(shown: number, requested: string): HTMLElement {
  return h(
    'p.note',
    { role: 'note' },
    `${grouped(String(shown))} of ${grouped(requested)} hotspots are shown, those that earned most. The sums above count all of them. ` +
      `For each token the server returns the ${grouped(String(MOST))} hotspots that earned most of it, so some amounts may be missing in this table; ` +
      'the statement below has every reward.',
  )
}

function sumsOf(paid: readonly GroupSum[]): readonly HotspotSums[] {
  const ofHotspots = paid.filter(({ group }) => group !== null)
  return [...groupBy(ofHotspots, ({ group }) => group ?? '')]
    .map(([key, own]) => ({ key, earned: own.map(({ earned }) => earned) }))
    .sort((one, other) => compare(totalUsd(other.earned) ?? '-1', totalUsd(one.earned) ?? '-1'))
}
