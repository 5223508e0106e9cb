import type { Context } from '../ask/context.ts'
import {
  askSeries,
  type Network,
  networkNames,
  networks,
  type SeriesRow,
  type Span,
  type Whose,
} from '../ask/series.ts'
import { h } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { table } from '../parts/table.ts'
import { medianOf } from '../values/amounts.ts'
import { groupBy } from '../values/group.ts'
import { amountText } from './earned.ts'

/** The most groups that a series gives. */
const MOST = 1000

interface Compared {
  readonly network: Network
  readonly token: string
  readonly own: readonly string[]
  readonly all: readonly string[]
}

/** The median of some hotspots beside that of the whole network, for each token by itself. */
export function compared({ api }: Context, whose: Whose, span: Span): HTMLElement {
  return panel('Compared with the network', async () => {
    const given = { interval: 'all', group_by: 'hotspot', limit: String(MOST) }
    const asked = await Promise.all(
      networks.map(async (network) => {
        const [own, all] = [
          askSeries(api, network, whose, span, given),
          askSeries(api, network, {}, span, given),
        ]
        return { network, own: await own, all: await all }
      }),
    )
    const rows = asked.flatMap(({ network, own, all }) => {
      const others = byToken(all.value.records)
      return [...byToken(own.value.records)].map(([token, units]) => ({
        network,
        token,
        own: units,
        all: others.get(token) ?? [],
      }))
    })
    const addresses = asked.flatMap(({ own, all }) => [own.address, all.address])
    // Beyond the limit only those are told that earned most, whose median says nothing.
    const told = rows.filter(({ all }) => all.length < MOST)
    return h(
      'div',
      {},
      told.length > 0 ? medians(told) : undefined,
      told.length < rows.length
        ? h(
            'p',
            {},
            `More than ${MOST} hotspots earned in these days; the server tells only of those that earned most, so their median is not known.`,
          )
        : undefined,
      rows.length === 0 ? h('p', {}, 'None of these hotspots earned anything in these days.') : undefined,
      requests(...addresses),
    )
  })
}

/** What each hotspot that earned anything earned of each known token, in base units. */
function byToken(records: readonly SeriesRow[]): ReadonlyMap<string, readonly string[]> {
  const paid = records.filter(
    ({ group, token, earned }) => group !== null && token !== null && earned !== '0',
  )
  return new Map(
    [...groupBy(paid, ({ token }) => token ?? '')].map(([token, rows]) => [
      token,
      rows.map(({ earned }) => earned),
    ]),
  )
}

function medians(rows: readonly Compared[]): HTMLElement {
  const median = (of: 'own' | 'all') => (row: Compared) => {
    const text = amountText({ units: medianOf(row[of]), token: row.token })
    return `${text} (${row[of].length} ${row[of].length === 1 ? 'hotspot' : 'hotspots'})`
  }
  return h(
    'div',
    {},
    h('p', { class: 'quiet' }, 'Half of the hotspots that earned anything earned at most their median.'),
    table(
      'Medians of what a hotspot earned',
      [
        { title: 'Network', cell: ({ network }: Compared) => networkNames[network] },
        { title: 'Median of these', isNumber: true, cell: median('own') },
        { title: 'Median of all', isNumber: true, cell: median('all') },
      ],
      rows,
    ),
  )
}
