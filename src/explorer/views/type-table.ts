import type { Context } from '../ask/context.ts'
import { askSums } from '../ask/sums.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { type TableColumn, table } from '../parts/table.ts'
import { networkNames } from '../values/networks.ts'
import type { Span } from '../values/spans.ts'
import { amountText, usdColumn } from './earned.ts'
import { type GroupSum, paidGroups } from './group-sums.ts'

const columnsOf = (rows: readonly GroupSum[]): readonly TableColumn<GroupSum>[] => [
  { title: 'Type', cell: ({ group }) => (group ?? 'unknown').replaceAll('_', ' ') },
  { title: 'Network', cell: ({ earned }) => networkNames[earned.network] },
  { title: 'Earned', isNumber: true, cell: ({ earned }) => amountText(earned) },
  usdColumn(rows, ({ earned }) => [earned]),
]

/** Rewards of the network's hotspots over a span, by reward type. */
export function typeTable({ api }: Context, span: Span): HTMLElement {
  return panel('By type of reward', async () => {
    const ofNetworks = await askSums(api, {}, span, { groupBy: 'REWARD_TYPE' })
    const paid = ofNetworks.flatMap(({ network, sums }) => paidGroups(network, sums.rows))
    return [
      table('What hotspots were paid, by type', columnsOf(paid), paid),
      requests(...ofNetworks.map(({ address }) => address)),
    ]
  })
}
