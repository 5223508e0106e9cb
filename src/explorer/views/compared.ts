import type { Context } from '../ask/context.ts'
import type { askNetworks, Median } from '../ask/series.ts'
import { askSums } from '../ask/sums.ts'
import { paragraph, quiet } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { type TableColumn, table } from '../parts/table.ts'
import { grouped, shortUsd } from '../values/amounts.ts'
import { type Network, networkNames } from '../values/networks.ts'
import type { Span } from '../values/spans.ts'
import { amountText } from './earned.ts'
import { paidGroups } from './group-sums.ts'
import { medianUsd } from './hotspot-sums.ts'

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

type HotspotReplies = Awaited<ReturnType<typeof askNetworks>>

/**
 * A table of the median earnings of some hotspots and of the whole network, for each token. `askOwn` requests these
 * hotspots, at most `most` of them.
 */
export function compared(
  { api }: Context,
  span: Span,
  askOwn: () => Promise<HotspotReplies>,
  most: number,
): HTMLElement {
  return panel('Compared with the network', async () => {
    const [own, all] = await Promise.all([
      askOwn(),
      askSums(api, {}, span, { groupBy: 'HOTSPOT', limit: 1, median: true }),
    ])
    const rows = own.flatMap(({ network, reply }, place) =>
      (reply.value.meta.medians ?? []).map((median) => ({
        network,
        own: median,
        all: all[place]?.sums.meta.medians?.find(({ token }) => token === median.token),
      })),
    )
    const shown =
      rows.length === 0
        ? paragraph('None of these hotspots earned anything in these days.')
        : [
            quiet('Median: half of the paid hotspots earned this or less.', usdText(own, most)),
            table('Medians of what a hotspot earned', columns, rows),
          ]
    const addresses = [...own.map(({ reply }) => reply.address), ...all.map(({ address }) => address)]
    return [shown, requests(...addresses)]
  })
}

/** The median in USD, if the replies have all hotspots. */
function usdText(own: HotspotReplies, most: number): string {
  const requested = own[0]?.reply.value.meta.hotspots ?? null
  if (requested === null || BigInt(requested) > BigInt(most)) return ''
  const median = medianUsd(own.flatMap(({ network, reply }) => paidGroups(network, reply.value.records)))
  return median === undefined
    ? ''
    : ` In USD, over all tokens: ${shortUsd(median.usd)} (${countText(median)}).`
}

const countText = ({ hotspots }: { readonly hotspots: string | number }) =>
  `${grouped(String(hotspots))} ${String(hotspots) === '1' ? 'hotspot' : 'hotspots'}`

const medianText = (one: Median) =>
  `${amountText({ units: one.median, token: one.token })} (${countText(one)})`
