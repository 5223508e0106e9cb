import type { Context } from '../ask/context.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { type TableColumn, table } from '../parts/table.ts'
import { networkNames } from '../values/networks.ts'
import type { Span } from '../values/spans.ts'
import { amountText, usdColumn } from './earned.ts'
import { askGroups, type GroupSum } from './group-sums.ts'

const columnsOf = (rows: readonly GroupSum[]): readonly TableColumn<GroupSum>[] => [
  { title: 'Type', cell: ({ group }) => (group ?? 'unknown').replaceAll('_', ' ') },
  { title: 'Network', cell: ({ earned }) => networkNames[earned.network] },
  { title: 'Earned', isNumber: true, cell: ({ earned }) => amountText(earned) },
  usdColumn(rows, ({ earned }) => [earned]),
]

/** Rewards of the network's hotspots over a span, by reward type. */
export function typeTable({ api }: Context, span: Span): HTMLElement {
  return panel('By type of reward', async () => {
    const { paid, addresses } = await askGroups(api, {}, span, { group_by: 'reward_type' })
    return [table('What hotspots were paid, by type', columnsOf(paid), paid), requests(...addresses)]
  })
}
