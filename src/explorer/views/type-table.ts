import { groupBy } from '../../base/maps.ts'
import type { Context } from '../ask/context.ts'
import { askSums } from '../ask/sums.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { type TableColumn, table } from '../parts/table.ts'
import { type Network, networkNames } from '../values/networks.ts'
import type { Span } from '../values/spans.ts'
import { words } from '../values/words.ts'
import { amounts, type TokenEarnings, usdColumn } from './earned.ts'
import { paidGroups } from './group-sums.ts'

interface TypeSums {
  readonly type: string
  readonly network: Network
  readonly earned: readonly TokenEarnings[]
}

const columnsOf = (rows: readonly TypeSums[]): readonly TableColumn<TypeSums>[] => [
  { title: 'Type', cell: ({ type }) => words(type) },
  { title: 'Network', cell: ({ network }) => networkNames[network] },
  { title: 'Earned', isNumber: true, cell: ({ earned }) => amounts(earned) },
  usdColumn(rows, ({ earned }) => earned),
]

/** Rewards of the network's hotspots over a span, by reward type. */
export function typeTable({ api }: Context, span: Span): HTMLElement {
  return panel('By type of reward', async () => {
    const ofNetworks = await askSums(api, {}, span, { groupBy: 'REWARD_TYPE' })
    const rows = ofNetworks.flatMap(({ network, sums }) =>
      [...groupBy(paidGroups(network, sums.rows), ({ group }) => group ?? 'unknown')].map(
        ([type, groups]): TypeSums => ({ type, network, earned: groups.map(({ earned }) => earned) }),
      ),
    )
    return [
      table('What hotspots were paid, by type', columnsOf(rows), rows),
      requests(...ofNetworks.map(({ address }) => address)),
    ]
  })
}
