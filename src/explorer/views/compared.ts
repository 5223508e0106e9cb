import type { Context } from '../ask/context.ts'
import { askNetworks, type Median, type Selection, type Span } from '../ask/series.ts'
import { div, paragraph, quiet } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { table } from '../parts/table.ts'
import { grouped } from '../values/amounts.ts'
import { type Network, networkNames } from '../values/networks.ts'
import { amountText } from './earned.ts'

interface Compared {
  readonly network: Network
  readonly own: Median
  readonly all: Median | undefined
}

/** A table of the median earnings of some hotspots and of the whole network, for each token. */
export function compared({ api }: Context, whose: Selection, span: Span): HTMLElement {
  return panel('Compared with the network', async () => {
    const given = { interval: 'all', group_by: 'hotspot', limit: '1', median: 'true' }
    const [own, all] = await Promise.all([
      askNetworks(api, whose, span, given),
      askNetworks(api, {}, span, given),
    ])
    const rows = own.flatMap(({ network, reply }, place) =>
      (reply.value.meta.medians ?? []).map((median) => ({
        network,
        own: median,
        all: all[place]?.reply.value.meta.medians?.find(({ token }) => token === median.token),
      })),
    )
    const addresses = [...own, ...all].map(({ reply }) => reply.address)
    return div(
      rows.length > 0 ? medians(rows) : paragraph('None of these hotspots earned anything in these days.'),
      requests(...addresses),
    )
  })
}

function medians(rows: readonly Compared[]): HTMLElement {
  return div(
    quiet('Median: half of the paid hotspots earned this or less.'),
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
