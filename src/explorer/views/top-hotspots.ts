import type { Context } from '../ask/context.ts'
import { askNetworks, type Span } from '../ask/series.ts'
import { shortKey } from '../parts/facts.ts'
import { div, h, paragraph } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { table } from '../parts/table.ts'
import { pagePath } from '../values/addresses.ts'
import { symbolOf } from '../values/amounts.ts'
import { groupBy } from '../values/group.ts'
import { networkNames } from '../values/networks.ts'
import { amountText, earnedOf, isPaid, type TokenEarnings, usd } from './earned.ts'

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
    const given = { interval: 'all', group_by: 'hotspot', limit: String(count) }
    const responses = await askNetworks(api, {}, span, given)
    const rows = responses.flatMap(({ network, reply }) =>
      reply.value.records.flatMap((row) =>
        row.group === null ? [] : [{ key: row.group, earned: earnedOf(network)(row) }],
      ),
    )
    const paid = rows.filter(({ earned }) => isPaid(earned))
    const tables = groupBy(
      paid,
      ({ earned: { network, token } }) => `${networkNames[network]}, ${symbolOf(token)}`,
    )
    return div(
      [...tables].map(([title, own]) => [h('h3', {}, title), topTable(title, own, base)]),
      paid.length === 0 ? paragraph('No hotspot earned anything in these days.') : undefined,
      requests(...responses.map(({ reply }) => reply.address)),
    )
  })
}

function topTable(title: string, rows: readonly Top[], base: string): HTMLElement {
  const sorted = [...rows].sort((one, other) =>
    BigInt(one.earned.units) < BigInt(other.earned.units) ? 1 : -1,
  )
  return table(
    `Who earned most: ${title}`,
    [
      {
        title: 'Hotspot',
        cell: ({ key }: Top) => h('a', { href: base + pagePath('hotspot', key) }, shortKey(key)),
      },
      { title: 'Earned', isNumber: true, isLead: true, cell: ({ earned }: Top) => amountText(earned) },
      { title: 'USD', isNumber: true, cell: ({ earned }: Top) => usd([earned]) },
    ],
    sorted,
  )
}
