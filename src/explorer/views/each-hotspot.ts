import type { Context } from '../ask/context.ts'
import type { Selection, Span } from '../ask/series.ts'
import { compared } from './compared.ts'
import { hotspotTable } from './hotspot-table.ts'

/** The server's limit of groups in a series. */
const MOST = 1000

/** A table of several hotspots, and their medians compared with the network. */
export const eachHotspot = (context: Context, whose: Selection, span: Span) => [
  hotspotTable(context, 'Each hotspot', whose, span, MOST),
  compared(context, whose, span),
]
