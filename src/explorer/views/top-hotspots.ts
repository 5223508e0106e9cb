import { groupBy } from '../../base/maps.ts'
import type { Context } from '../ask/context.ts'
import type { Span } from '../ask/series.ts'
import { shortKey } from '../parts/facts.ts'
import { h, paragraph } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { type TableColumn, table } from '../parts/table.ts'
import { symbolOf } from '../values/amounts.ts'
import { networkNames } from '../values/networks.ts'
import { amountText, type TokenEarnings, usd } from './earned.ts'
import { askGroups, hotspotColumn } from './group-sums.ts'

interface Top {
  readonly key: string
  readonly earned: TokenEarnings
}

/**
 * A table per network and token with the hotspots that earned most. Tokens are not combined: the response for one token
 * lacks the earnings of its hotspots in others, so sums would be too small.
 */
export function topHotspots({ api, base }: Context, span: Span, count: number): HTMLElement {
  return panel('Who earned most', async () => {
    const given = { group_by: 'hotspot', limit: String(count) }
    const { paid, addresses } = await askGroups(api, {}, span, given)
    const top = paid.flatMap(({ group, earned }) => (group === null ? [] : [{ key: group, earned }]))
    const titleOf = ({ earned: { network, token } }: Top) => `${networkNames[network]}, ${symbolOf(token)}`
    return [
      [...groupBy(top, titleOf)].map(([title, own]) => [h('h3', title), topTable(title, own, base)]),
      top.length === 0 ? paragraph('No hotspot earned anything in these days.') : undefined,
      requests(...addresses),
    ]
  })
}

function topTable(title: string, rows: readonly Top[], base: string): HTMLElement {
  const columns: readonly TableColumn<Top>[] = [
    hotspotColumn(base, shortKey),
    { title: 'Earned', isNumber: true, isLead: true, cell: ({ earned }) => amountText(earned) },
    { title: 'USD', isNumber: true, cell: ({ earned }) => usd([earned]) },
  ]
  const sorted = rows.toSorted((a, b) => (BigInt(a.earned.units) < BigInt(b.earned.units) ? 1 : -1))
  return table(`Who earned most: ${title}`, columns, sorted)
}
