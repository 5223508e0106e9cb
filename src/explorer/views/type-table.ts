import type { Context } from '../ask/context.ts'
import { askNetworks, type Span } from '../ask/series.ts'
import { div } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { table } from '../parts/table.ts'
import { networkNames } from '../values/networks.ts'
import { amountText, earnedOf, isPaid, usd } from './earned.ts'

/** Rewards of the network's hotspots over a span, by reward type. */
export function typeTable({ api }: Context, span: Span): HTMLElement {
  return panel('By type of reward', async () => {
    const given = { interval: 'all', group_by: 'reward_type' }
    const responses = await askNetworks(api, {}, span, given)
    const rows = responses.flatMap(({ network, reply }) =>
      reply.value.records.map((row) => ({ type: row.group ?? 'unknown', earned: earnedOf(network)(row) })),
    )
    const columns = [
      { title: 'Type', cell: ({ type }: (typeof rows)[number]) => type.replaceAll('_', ' ') },
      { title: 'Network', cell: ({ earned }: (typeof rows)[number]) => networkNames[earned.network] },
      { title: 'Earned', isNumber: true, cell: ({ earned }: (typeof rows)[number]) => amountText(earned) },
      {
        title: 'USD',
        isNumber: true,
        isLead: true,
        cell: ({ earned }: (typeof rows)[number]) => usd([earned]),
      },
    ]
    const paid = rows.filter(({ earned }) => isPaid(earned))
    return div(
      table('What hotspots were paid, by type', columns, paid),
      requests(...responses.map(({ reply }) => reply.address)),
    )
  })
}
