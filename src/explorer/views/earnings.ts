import type { Context } from '../ask/context.ts'
import type { Selection } from '../ask/series.ts'
import { askStatus, knownDays } from '../ask/status.ts'
import { calendar } from '../parts/calendar.ts'
import { type Child, h, paragraph } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { bars } from './bars.ts'
import { dayTable } from './day-table.ts'
import { askEarnings, type Earnings } from './earnings-data.ts'
import { spanControls, spanIn } from './span-controls.ts'
import { totals } from './totals.ts'

/**
 * The earnings panel: days to choose, sums, bars, calendar, table, and `more` for the same days. Without any known key it
 * shows no sums, because they would all be zero. `report` is called before the earnings are shown.
 */
export function earningsOf(
  context: Context,
  whose: Selection,
  more: (earnings: Earnings) => Child,
  report: (earnings: Earnings) => void = () => {},
): HTMLElement {
  return panel('Earnings', async () => {
    const { api, query, go } = context
    const dayRange = knownDays((await askStatus(api)).value)
    if (dayRange === undefined)
      return paragraph('The server has no rewards yet. Try again after the first ingest.')
    const span = spanIn(query, dayRange)
    const earnings = await askEarnings(api, whose, span)
    report(earnings)
    if (earnings.isAllUnknown)
      return [paragraph('There are no earnings to show.'), requests(...earnings.addresses)]
    return h(
      'div.earnings',
      spanControls(span, dayRange, (changed) => go(`${location.pathname}?${changed}`), query),
      totals(earnings),
      h('h3', 'Over time'),
      bars(earnings),
      h('h3', 'Day by day'),
      calendar(earnings.states),
      dayTable(earnings),
      more(earnings),
    )
  })
}
