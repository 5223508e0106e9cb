import type { Context } from '../ask/context.ts'
import type { Selection } from '../ask/series.ts'
import { askStatus, knownDays } from '../ask/status.ts'
import { calendar } from '../parts/calendar.ts'
import { type Child, div, h, paragraph } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { bars } from './bars.ts'
import { dayTable } from './day-table.ts'
import { askEarnings, type Earnings } from './earnings-data.ts'
import { spanControls, spanIn } from './span-controls.ts'
import { totals } from './totals.ts'

/** Options of a page's earnings. */
interface Added {
  /** Content below the earnings, for the same days. */
  readonly more?: (earnings: Earnings) => Child
  /** Called before the earnings are shown. */
  readonly report?: (earnings: Earnings) => void
}

/**
 * The earnings panel: days to choose, sums, bars, calendar and table. Without any known key it shows no sums, because
 * they would all be zero.
 */
export function earningsOf(
  context: Context,
  whose: Selection,
  { more = () => [], report = () => {} }: Added = {},
): HTMLElement {
  return panel('Earnings', async () => {
    const { api, query, go } = context
    const dayRange = knownDays((await askStatus(api)).value)
    if (dayRange === undefined)
      return paragraph('The server has no rewards yet. Come back when something was ingested.')
    const span = spanIn(query, dayRange)
    const earnings = await askEarnings(api, whose, span)
    report(earnings)
    if (earnings.isAllUnknown) return unknown(earnings)
    return h(
      'div',
      { class: 'earnings' },
      spanControls(span, dayRange, (changed) => go(`${location.pathname}?${changed}`), query),
      totals(earnings),
      h('h3', {}, 'Over time'),
      bars(earnings),
      h('h3', {}, 'Day by day'),
      calendar(earnings.states),
      dayTable(earnings),
      more(earnings),
    )
  })
}

const unknown = ({ addresses }: Earnings) =>
  div(paragraph('There is no hotspot whose earnings could be shown.'), requests(...addresses))
