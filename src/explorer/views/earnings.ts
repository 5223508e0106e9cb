import type { Context } from '../ask/context.ts'
import type { Selection } from '../ask/series.ts'
import { askStatus, knownDays } from '../ask/status.ts'
import { calendar } from '../parts/calendar.ts'
import { loadCharts } from '../parts/chart.ts'
import { type Child, h, paragraph } from '../parts/h.ts'
import { panel } from '../parts/panel.ts'
import { requests } from '../parts/requests.ts'
import { spanIn, spanText } from '../values/span-in.ts'
import type { Span } from '../values/spans.ts'
import { bars } from './bars.ts'
import { dayTable } from './day-table.ts'
import { askEarnings, type Earnings } from './earnings-data.ts'
import { spanControls } from './span-controls.ts'
import { totals } from './totals.ts'

/** Parts of a page that need its earnings. */
interface EarningsParts {
  /** Between the sums and the controls. */
  readonly compare?: (earnings: Earnings) => Child
  /** Below the table of days. */
  readonly below: (earnings: Earnings) => Child
  /** Called before the earnings are shown. */
  readonly report?: (earnings: Earnings) => void
}

/**
 * The earnings panel: sums, days to choose, bars, calendar and table. Without any known key it shows no sums, because
 * they would all be zero.
 */
export function earningsPanel(
  context: Context,
  whose: Selection,
  { compare, below, report }: EarningsParts,
): HTMLElement {
  return panel('Earnings', async () => {
    // The script of the chart loads while the sums are computed; the chart reports its errors.
    loadCharts().catch(() => undefined)
    const { api, query, go } = context
    const dataDays = knownDays((await askStatus(api)).value)
    if (dataDays === undefined)
      return paragraph('The server has no rewards yet. Try again after the first ingest.')
    const span = spanIn(query, dataDays)
    const earnings = await askEarnings(api, whose, span)
    report?.(earnings)
    if (earnings.isAllUnknown)
      return [paragraph('There are no earnings to show.'), requests(...earnings.addresses)]
    return h(
      'div.earnings',
      span.isReversed ? h('p.note', { role: 'status' }, REVERSED) : undefined,
      totals(earnings, spanText(span), dataDays),
      compare?.(earnings),
      spanControls(span.isReversed ? putRight(query, span) : query, dataDays, (changed) =>
        go(`${location.pathname}?${changed}`),
      ),
      h('h3', 'Over time'),
      bars(earnings),
      h('h3', 'Day by day'),
      calendar(earnings.states),
      dayTable(earnings),
      below(earnings),
    )
  })
}

/** Writes the days into the address in their order, and returns its query. */
function putRight(query: URLSearchParams, { first, last }: Span): URLSearchParams {
  const ordered = new URLSearchParams(query)
  ordered.set('first', first)
  ordered.set('last', last)
  history.replaceState(null, '', `${location.pathname}?${ordered}`)
  return ordered
}

const REVERSED = 'The first day was after the last day, so the two are exchanged.'
