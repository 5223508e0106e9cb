import type { Given } from '../ask/api.ts'
import type { Context } from '../ask/context.ts'
import { askNetworks, type Median, type Selection } from '../ask/series.ts'
import { paragraph, quiet } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { type TableColumn, table } from '../parts/table.ts'
import { grouped } from '../values/amounts.ts'
import { type Network, networkNames } from '../values/networks.ts'
import type { Span } from '../values/spans.ts'
import { amountText } from './earned.ts'

interface Compared {
  readonly network: Network
  readonly own: Median
  readonly all: Median | undefined
}

const columns: readonly TableColumn<Compared>[] = [
  { title: 'Network', cell: ({ network }) => networkNames[network] },
  { title: 'Median of these', isNumber: true, cell: ({ own }) => medianText(own) },
  { title: 'Median of all', isNumber: true, cell: ({ all }) => all && medianText(all) },
]

/**
 * A table of the median earnings of some hotspots and of the whole network, for each token. `given` are the parameters
 * of the request for these hotspots.
 */
export function compared({ api }: Context, whose: Selection, span: Span, given: Given): HTMLElement {
  return panel('Compared with the network', async () => {
    const interval = 'all'
    const [own, all] = await Promise.all([
      askNetworks(api, whose, span, { interval, ...given }),
      askNetworks(api, {}, span, { interval, ...given, limit: '1' }),
    ])
    const rows = own.flatMap(({ network, reply }, place) =>
      (reply.value.meta.medians ?? []).map((median) => ({
        network,
        own: median,
        all: all[place]?.reply.value.meta.medians?.find(({ token }) => token === median.token),
      })),
    )
    const shown =
      rows.length === 0
        ? paragraph('None of these hotspots earned anything in these days.')
        : [
            quiet('Median: half of the paid hotspots earned this or less.'),
            table('Medians of what a hotspot earned', columns, rows),
          ]
    return [shown, requests(...[...own, ...all].map(({ reply }) => reply.address))]
  })
}

function medianText({ token, hotspots, median }: Median): string {
  const amount = amountText({ units: median, token })
  return `${amount} (${grouped(hotspots)} ${hotspots === '1' ? 'hotspot' : 'hotspots'})`
}
