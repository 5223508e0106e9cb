import type { Context } from '../ask/context.ts'
import type { Selection, Span } from '../ask/series.ts'
import { compared } from './compared.ts'
import { hotspotTable } from './hotspot-table.ts'

/** The most groups that a series gives. */
const MOST = 1000

/** Several hotspots one by one, and together beside the network. */
export const eachHotspot = (context: Context, whose: Selection, span: Span) => [
  hotspotTable(context, 'Each hotspot', whose, span, MOST),
  compared(context, whose, span),
]
