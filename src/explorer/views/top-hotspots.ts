import type { Context } from '../ask/context.ts'
import type { Selection } from '../ask/series.ts'
import { askSums } from '../ask/sums.ts'
import { paragraph, quiet } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { table } from '../parts/table.ts'
import type { Span } from '../values/spans.ts'
import { paidGroups } from './group-sums.ts'
import { hotspotColumns, sumsOfHotspots } from './hotspot-sums.ts'

/** Hotspots of each token that are compared in USD: their keys must fit into an address. */
const CANDIDATES = 40

/**
 * A table of the hotspots that earned most USD. The response for one token lacks the earnings of its hotspots in others, so
 * the sums of the greatest of each token are requested again.
 */
export function topHotspots({ api, base }: Context, span: Span, count: number): HTMLElement {
  const ask = async (whose: Selection, limit: number) => {
    const ofNetworks = await askSums(api, whose, span, { groupBy: 'HOTSPOT', limit })
    return {
      paid: ofNetworks.flatMap(({ network, sums }) => paidGroups(network, sums.rows)),
      addresses: ofNetworks.map(({ address }) => address),
    }
  }
  return panel(TITLE, async () => {
    const greatest = await ask({}, CANDIDATES)
    const keys = [...new Set(greatest.paid.flatMap(({ group }) => group ?? []))]
    if (keys.length === 0)
      return [paragraph('No hotspot earned anything in these days.'), requests(...greatest.addresses)]
    const { paid, addresses } = await ask({ hotspot_key: keys.join(',') }, keys.length)
    const rows = sumsOfHotspots(paid).slice(0, count)
    return [
      quiet(`By USD, of the ${CANDIDATES} hotspots that earned most of each token.`),
      table(TITLE, hotspotColumns(base, rows), rows),
      requests(...greatest.addresses, ...addresses),
    ]
  })
}

const TITLE = 'Who earned most'
