import { div, h, quiet } from '../parts/h.ts'
import { requests } from '../parts/requests.ts'
import { countStates } from '../values/day-states.ts'
import { dayText } from '../values/days.ts'
import { networkNames } from '../values/networks.ts'
import { amountText, isPaid, lacksPrice, usd } from './earned.ts'
import type { Earnings } from './earnings-data.ts'

/** The sums of a span: total USD, amounts per network and token, and the number of days behind them. */
export function totals({ totals: earned, states, span, addresses }: Earnings): HTMLElement {
  const counts = countStates([...states.values()])
  // Amounts of unknown tokens come last.
  const paid = [...earned.filter(isPaid)].sort((a, b) => Number(a.token === null) - Number(b.token === null))
  return div(
    quiet(`${dayText(span.first)} to ${dayText(span.last)}, both included, UTC`),
    h(
      'dl',
      { class: 'cards' },
      card(
        'Earned in USD',
        usd(earned.filter((one) => one.usd !== null)),
        `at the oracle price of each day${lacksPrice(earned) ? ' that has one' : ''}`,
      ),
      paid.map((one) =>
        card(
          networkNames[one.network],
          amountText(one),
          one.token === null ? 'no manifest tells the token' : undefined,
        ),
      ),
      paid.length === 0 ? card('Earned', 'Nothing', 'in these days') : undefined,
      card('Days paid', String(counts.paid + counts.unpriced), `of ${states.size}`),
      card('Nothing earned', String(counts.nothing), 'days'),
      card('Data missing', String(counts.missing + counts.incomplete), 'days'),
    ),
    lacksPrice(earned)
      ? h(
          'p',
          { class: 'note' },
          'Some rewards have no manifest, so their token and price are unknown: they are counted in bones and are in no sum of USD.',
        )
      : undefined,
    counts.missing + counts.incomplete > 0
      ? h(
          'p',
          { class: 'note' },
          'The server lacks data of some days. What was earned then is not known here; it is not zero.',
        )
      : undefined,
    requests(...addresses),
  )
}

function card(title: string, value: Parameters<typeof h>[2], note?: string): HTMLElement {
  return h(
    'div',
    { class: 'card' },
    h('dt', {}, title),
    h('dd', { class: 'value' }, value),
    note === undefined ? undefined : h('dd', { class: 'quiet' }, note),
  )
}
