import { groupBy } from '../../base/maps.ts'
import type { Context } from '../ask/context.ts'
import { askNetworks, type ChartRow, type Selection } from '../ask/series.ts'
import { h, paragraph } from '../parts/h.ts'
import { pagedTable } from '../parts/paged-table.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { grouped } from '../values/amounts.ts'
import type { Span } from '../values/spans.ts'
import { compared } from './compared.ts'
import { paidGroups } from './group-sums.ts'
import { canHaveLines, hotspotLines } from './hotspot-lines.ts'
import { hotspotColumns, sumsOfHotspots } from './hotspot-sums.ts'

/** The server's limit of hotspots per token in a series. */
const MOST = 1000

/** The table and the medians come from the same replies. */
const request = { interval: 'all', group_by: 'hotspot', limit: String(MOST), median: 'true' }

/** A table of several hotspots, and their medians compared with the network. */
export function eachHotspot(context: Context, whose: Selection, span: Span): readonly HTMLElement[] {
  const ask = () => askNetworks(context.api, whose, span, request)
  return [hotspotTable(context, whose, span, ask), compared(context, span, ask, MOST)]
}

/** A table of hotspots and their earnings over a span, most USD first. */
function hotspotTable(
  context: Context,
  whose: Selection,
  span: Span,
  ask: () => ReturnType<typeof askNetworks>,
): HTMLElement {
  return panel(TITLE, async () => {
    const replies = await ask()
    const addresses = replies.map(({ reply }) => reply.address)
    const series = replies.map(({ reply }) => reply.value)
    const paid = replies.flatMap(({ network, reply }) => paidGroups(network, reply.value.records))
    const rows = sumsOfHotspots(paid)
    if (rows.length === 0)
      return [paragraph('No hotspot earned anything in these days.'), requests(...addresses)]
    const { hotspots: requested = null } = series[0]?.meta ?? {}
    const shown = rows.slice(0, MOST)
    const isCut = series.some(({ records }) => isFull(records))
    const isShort = isCut && requested !== null && BigInt(requested) > MOST
    return [
      isShort ? notAll(shown.length, requested) : undefined,
      pagedTable(TITLE, hotspotColumns(context.base, rows), shown),
      canHaveLines(rows) ? hotspotLines(context, whose, span, rows) : undefined,
      requests(...addresses),
    ]
  })
}

const TITLE = 'Each hotspot'

/** Returns true if a token has as many groups as a series may have, so that more may exist. */
function isFull(records: readonly ChartRow[]): boolean {
  const groups = records.filter(({ group }) => group !== null)
  return [...groupBy(groups, ({ token }) => token ?? '').values()].some((own) => own.length >= MOST)
}

function notAll(shown: number, requested: string): HTMLElement {
  return h(
    'p.note',
    { role: 'note' },
    `${grouped(String(shown))} of ${grouped(requested)} hotspots are shown, those that earned most. The sums above count all of them. ` +
      `For each token the server returns the ${grouped(String(MOST))} hotspots that earned most of it, so some amounts may be missing in this table; ` +
      'the statement below has every reward.',
  )
}
