import type { Context } from '../ask/context.ts'
import { paragraph, quiet } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { table } from '../parts/table.ts'
import type { Span } from '../values/spans.ts'
import { askGroups } from './group-sums.ts'
import { hotspotColumns, sumsOfHotspots } from './hotspot-sums.ts'

/** Hotspots of each token that are compared in USD: their keys must fit into an address. */
const CANDIDATES = 40

/**
 * A table of the hotspots that earned most USD. The response for one token lacks the earnings of its hotspots in others, so
 * the sums of the greatest of each token are requested again.
 */
export function topHotspots({ api, base }: Context, span: Span, count: number): HTMLElement {
  return panel(TITLE, async () => {
    const byToken = { group_by: 'hotspot', limit: String(CANDIDATES) }
    const greatest = await askGroups(api, {}, span, byToken)
    const keys = [...new Set(greatest.paid.flatMap(({ group }) => group ?? []))]
    if (keys.length === 0)
      return [paragraph('No hotspot earned anything in these days.'), requests(...greatest.addresses)]
    const whose = { hotspot_key: keys.join(',') }
    const { paid, addresses } = await askGroups(api, whose, span, { group_by: 'hotspot', limit: '1000' })
    const rows = sumsOfHotspots(paid).slice(0, count)
    return [
      quiet(`By USD, of the ${CANDIDATES} hotspots that earned most of each token.`),
      table(TITLE, hotspotColumns(base, rows), rows),
      requests(...greatest.addresses, ...addresses),
    ]
  })
}

const TITLE = 'Who earned most'
