import type { Context } from '../ask/context.ts'
import { askSeries, type Median, type Selection, type Span } from '../ask/series.ts'
import { h } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { table } from '../parts/table.ts'
import { grouped } from '../values/amounts.ts'
import { type Network, networkNames, networks } from '../values/networks.ts'
import { amountText } from './earned.ts'

interface Compared {
  readonly network: Network
  readonly own: Median
  readonly all: Median | undefined
}

/** The median of some hotspots beside that of the whole network, for each token by itself. */
export function compared({ api }: Context, whose: Selection, span: Span): HTMLElement {
  return panel('Compared with the network', async () => {
    const given = { interval: 'all', group_by: 'hotspot', limit: '1', median: 'true' }
    const responses = await Promise.all(
      networks.map(async (network) => {
        const [own, all] = [
          askSeries(api, network, whose, span, given),
          askSeries(api, network, {}, span, given),
        ]
        return { network, own: await own, all: await all }
      }),
    )
    const rows = responses.flatMap(({ network, own, all }) =>
      (own.value.meta.medians ?? []).map((median) => ({
        network,
        own: median,
        all: all.value.meta.medians?.find(({ token }) => token === median.token),
      })),
    )
    const addresses = responses.flatMap(({ own, all }) => [own.address, all.address])
    return h(
      'div',
      {},
      rows.length > 0 ? medians(rows) : h('p', {}, 'None of these hotspots earned anything in these days.'),
      requests(...addresses),
    )
  })
}

function medians(rows: readonly Compared[]): HTMLElement {
  return h(
    'div',
    {},
    h('p', { class: 'quiet' }, 'Median: half of the paid hotspots earned this or less.'),
    table(
      'Medians of what a hotspot earned',
      [
        { title: 'Network', cell: ({ network }: Compared) => networkNames[network] },
        { title: 'Median of these', isNumber: true, cell: ({ own }: Compared) => medianText(own) },
        { title: 'Median of all', isNumber: true, cell: ({ all }: Compared) => all && medianText(all) },
      ],
      rows,
    ),
  )
}

function medianText({ token, hotspots, median }: Median): string {
  const amount = amountText({ units: median, token })
  return `${amount} (${grouped(hotspots)} ${hotspots === '1' ? 'hotspot' : 'hotspots'})`
}
