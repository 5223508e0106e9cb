import type { Context } from '../ask/context.ts'
import { askNetworks, type ChartRow, type Selection, type Span } from '../ask/series.ts'
import { shortKey } from '../parts/facts.ts'
import { div, h, paragraph } from '../parts/h.ts'
import { pagedTable } from '../parts/paged-table.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { pagePath } from '../values/addresses.ts'
import { compare, grouped } from '../values/amounts.ts'
import { groupBy } from '../values/group.ts'
import { type Network, networkIds, networkNames } from '../values/networks.ts'
import { amounts, earnedOf, isPaid, type TokenEarnings, totalUsd, usd } from './earned.ts'

interface HotspotSums {
  readonly key: string
  readonly earned: readonly TokenEarnings[]
}

/**
 * A table of hotspots and their earnings over a span, most USD first. `limit` bounds the hotspots per token.
 * A hotspot that was requested by name is shown with its name.
 */
export function hotspotTable(
  context: Context,
  title: string,
  whose: Selection,
  span: Span,
  limit: number,
): HTMLElement {
  return panel(title, async () => {
    const { api, base } = context
    const parameters = { interval: 'all', group_by: 'hotspot', limit: String(limit) }
    const responses = await askNetworks(api, whose, span, parameters)
    const rows = sumsOf(responses.map(({ network, reply }) => [network, reply.value.records]))
    const addresses = responses.map(({ reply }) => reply.address)
    const given = Object.entries(responses[0]?.reply.value.meta.names ?? {})
    const names = new Map(given.map(([name, key]) => [key, name]))
    if (rows.length === 0)
      return div(paragraph('No hotspot earned anything in these days.'), requests(...addresses))
    const network = (own: Network) => ({
      title: networkNames[own],
      isNumber: true,
      cell: ({ earned }: HotspotSums) => amounts(earned.filter((one) => one.network === own)),
    })
    const columns = [
      {
        title: 'Hotspot',
        cell: ({ key }: HotspotSums) =>
          h('a', { href: base + pagePath('hotspot', key) }, names.get(key) ?? shortKey(key)),
      },
      ...networkIds
        .filter((own) => rows.some(({ earned }) => earned.some((one) => one.network === own)))
        .map(network),
      { title: 'USD', isNumber: true, isLead: true, cell: ({ earned }: HotspotSums) => usd(earned) },
    ]
    const shown = rows.slice(0, limit)
    const isCut = responses.some(({ reply }) => isFull(reply.value.records, limit))
    const listed = responses[0]?.reply.value.meta.hotspots
    const cut = isCut && listed && BigInt(listed) > limit ? notAll(shown.length, listed, limit) : undefined
    return div(cut, pagedTable(title, columns, shown), requests(...addresses))
  })
}

/** Returns true if a token has `limit` groups, so that more may exist. */
function isFull(records: readonly ChartRow[], limit: number): boolean {
  const groups = records.filter(({ group }) => group !== null)
  return [...groupBy(groups, ({ token }) => token ?? '').values()].some((own) => own.length >= limit)
}

function notAll(shown: number, listed: string, limit: number): HTMLElement {
  return h(
    'p',
    { class: 'note', role: 'note' },
    `${grouped(String(shown))} of ${grouped(listed)} hotspots are shown, those that earned most. The sums above are of all of them. ` +
      `Of each token the server tells what the first ${grouped(String(limit))} earned, so an amount may be missing here; the statement below has every reward.`,
  )
}

type Row = Parameters<ReturnType<typeof earnedOf>>[0]

function sumsOf(responses: readonly (readonly [Network, readonly Row[]])[]): readonly HotspotSums[] {
  const rows = responses.flatMap(([network, records]) =>
    records.map((row) => ({ group: row.group, earned: earnedOf(network)(row) })),
  )
  const paid = rows.filter(({ group, earned }) => group !== null && isPaid(earned))
  return [...groupBy(paid, ({ group }) => group ?? '')]
    .map(([key, own]) => ({ key, earned: own.map(({ earned }) => earned) }))
    .sort((one, other) => compare(totalUsd(other.earned) ?? '-1', totalUsd(one.earned) ?? '-1'))
}
