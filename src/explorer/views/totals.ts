import { type Child, div, h, quiet } from '../parts/h.ts'
import { requests } from '../parts/requests.ts'
import { countStates } from '../values/day-states.ts'
import { dayText } from '../values/days.ts'
import { networkNames } from '../values/networks.ts'
import { amountText, isPaid, lacksPrice, usd } from './earned.ts'
import type { Earnings } from './earnings-data.ts'

/** The sums of a span: total USD, amounts per network and token, and the number of days behind them. */
export function totals({ totals: earned, states, span, addresses }: Earnings): HTMLElement {
  const counts = countStates([...states.values()])
  const missing = counts.missing + counts.incomplete
  // Amounts of unknown tokens come last.
  const paid = [...earned.filter(isPaid)].sort((a, b) => Number(a.token === null) - Number(b.token === null))
  return div(
    quiet(`${dayText(span.first)} to ${dayText(span.last)}, both included, UTC`),
    h(
      'dl.cards',
      card(
        'Earned in USD',
        usd(earned.filter((one) => one.usd !== null)),
        `at the oracle price of each day${lacksPrice(earned) ? ' that has one' : ''}`,
      ),
      paid.map((one) =>
        card(
          networkNames[one.network],
          amountText(one),
          one.token === null ? 'no manifest names the token' : undefined,
        ),
      ),
      paid.length === 0 ? card('Earned', 'Nothing', 'in these days') : undefined,
      card('Days paid', String(counts.paid + counts.unpriced), `of ${states.size}`),
      card('Nothing earned', String(counts.nothing), 'days'),
      card('Data missing', String(missing), 'days'),
    ),
    lacksPrice(earned) ? h('p.note', UNPRICED) : undefined,
    missing > 0 ? h('p.note', MISSING) : undefined,
    requests(...addresses),
  )
}

const UNPRICED =
  'Some rewards have no manifest, so their token and price are unknown. They are shown in bones, and the sum in USD leaves them out.'

const MISSING = 'The server has no data for some days. Earnings on those days are unknown, not zero.'

function card(title: string, value: Child, note?: string): HTMLElement {
  return h('div.card', h('dt', title), h('dd.value', value), note && h('dd.quiet', note))
}
