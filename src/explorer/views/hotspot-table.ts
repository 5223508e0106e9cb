import type { Context } from '../ask/context.ts'
import { askSeries, type Network, networkNames, networks, type Span, type Whose } from '../ask/series.ts'
import { shortKey } from '../parts/facts.ts'
import { h } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { table } from '../parts/table.ts'
import { pathOf } from '../values/addresses.ts'
import { compare } from '../values/amounts.ts'
import { groupBy } from '../values/group.ts'
import { amounts, type Earned, earnedOf, isPaid, usd, usdOf } from './earned.ts'

interface HotspotSums {
  readonly key: string
  readonly earned: readonly Earned[]
}

/** What each hotspot earned over a span, those with most USD first. `limit` is the most that are asked for of each token. */
export function hotspotTable(
  context: Context,
  title: string,
  whose: Whose,
  span: Span,
  limit: number,
): HTMLElement {
  return panel(title, async () => {
    const { api, base } = context
    const asked = await Promise.all(
      networks.map(async (network) => {
        const given = { interval: 'all', group_by: 'hotspot', limit: String(limit) }
        return { network, reply: await askSeries(api, network, whose, span, given) }
      }),
    )
    const rows = sumsOf(asked.map(({ network, reply }) => [network, reply.value.records]))
    const addresses = asked.map(({ reply }) => reply.address)
    if (rows.length === 0)
      return h('div', {}, h('p', {}, 'No hotspot earned anything in these days.'), requests(...addresses))
    const network = (own: Network) => ({
      title: networkNames[own],
      isNumber: true,
      cell: ({ earned }: HotspotSums) => amounts(earned.filter((one) => one.network === own)),
    })
    const columns = [
      {
        title: 'Hotspot',
        cell: ({ key }: HotspotSums) => h('a', { href: base + pathOf('hotspot', key) }, shortKey(key)),
      },
      ...networks
        .filter((own) => rows.some(({ earned }) => earned.some((one) => one.network === own)))
        .map(network),
      { title: 'USD', isNumber: true, isLead: true, cell: ({ earned }: HotspotSums) => usd(earned) },
    ]
    return h('div', {}, table(title, columns, rows.slice(0, limit)), requests(...addresses))
  })
}

type Row = Parameters<ReturnType<typeof earnedOf>>[0]

function sumsOf(asked: readonly (readonly [Network, readonly Row[]])[]): readonly HotspotSums[] {
  const rows = asked.flatMap(([network, records]) =>
    records.map((row) => ({ group: row.group, earned: earnedOf(network)(row) })),
  )
  const paid = rows.filter(({ group, earned }) => group !== null && isPaid(earned))
  return [...groupBy(paid, ({ group }) => group ?? '')]
    .map(([key, own]) => ({ key, earned: own.map(({ earned }) => earned) }))
    .sort((one, other) => compare(usdOf(other.earned) ?? '-1', usdOf(one.earned) ?? '-1'))
}
