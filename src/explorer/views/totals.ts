import { groupBy } from '../../base/maps.ts'
import { rewardTokensOf } from '../../catalog/networks.ts'
import { type Child, div, h } from '../parts/h.ts'
import { requests } from '../parts/requests.ts'
import { sumOf, symbolOf } from '../values/amounts.ts'
import { countStates } from '../values/day-states.ts'
import { ageText, currentDay, daysBetween, dayText } from '../values/days.ts'
import { networkNames } from '../values/networks.ts'
import type { KnownDays } from '../values/spans.ts'
import { amountText, isPaid, lacksPrice, type TokenEarnings, usd } from './earned.ts'
import type { Earnings } from './earnings-data.ts'

/** A day arrives within this many days. */
const USUAL_DELAY_DAYS = 3

/** The sums of a span: USD, each token, the days behind them, and the age of the data. `days` describes the span. */
export function totals({ totals: earned, states, addresses }: Earnings, days: string, known: KnownDays) {
  const counts = countStates([...states.values()])
  const missing = counts.missing + counts.incomplete
  const paid = earned
    .filter(isPaid)
    .sort((one, other) => Number(one.token === null) - Number(other.token === null))
  const isUnknown = paid.length === 0 && missing > 0
  return div(
    h('p.quiet', `${days}, UTC. `, ageOf(known)),
    h(
      'dl.cards',
      paid.length === 0
        ? card('Earned', isUnknown ? 'Unknown' : 'Nothing', isUnknown ? undefined : 'in these days', '.main')
        : card('Earned in USD', usd(paid.filter((one) => one.usd !== null)), priceNote(paid), '.main'),
      [...groupBy(paid, ({ token }) => symbolOf(token))].map(([symbol, ofToken]) =>
        tokenCard(symbol, ofToken),
      ),
      card(
        'Days paid',
        `${counts.paid + counts.unpriced} of ${states.size}`,
        [
          counts.nothing > 0 ? `${counts.nothing} earned nothing` : '',
          missing > 0 ? `${missing} without all data` : '',
        ]
          .filter((text) => text !== '')
          .join(', ') || undefined,
      ),
    ),
    lacksPrice(earned) ? h('p.note', UNPRICED) : undefined,
    missing > 0 ? h('p.note', missing === states.size ? NO_DATA : MISSING) : undefined,
    requests(...addresses),
  )
}

const UNPRICED =
  'Some rewards have no manifest, so their token and price are unknown. They are shown in bones, and the sum in USD leaves them out.'

const MISSING = 'The server has no data for some days. Earnings on those days are unknown, not zero.'

const NO_DATA = 'The server has no data for these days. Earnings are unknown, not zero.'

const priceNote = (paid: readonly TokenEarnings[]) =>
  `at the oracle price of each day${lacksPrice(paid) ? ' that has one' : ''}`

function ageOf({ last }: KnownDays): HTMLElement {
  const today = currentDay()
  const isOld = daysBetween(last, today).length - 1 > USUAL_DELAY_DAYS
  return h(isOld ? 'span.old' : 'span', `Newest data: ${dayText(last)}, ${ageText(last, today)}.`)
}

/** A card with the sum of a token, and its parts if several networks pay it. */
function tokenCard(symbol: string, earned: readonly TokenEarnings[]): HTMLElement {
  const part = (one: TokenEarnings) =>
    h('data', { 'data-network': networkNames[one.network], value: one.units }, amountText(one))
  const [only, ...more] = earned
  if (only === undefined || only.token === null) {
    const parts = earned.map((one) => h('span.amount', part(one), ` on ${networkNames[one.network]}`))
    return card('Unknown token', parts, 'no manifest names the token')
  }
  if (more.length === 0)
    return card(symbol, part(only), isShared(only) ? `on ${networkNames[only.network]}` : undefined)
  const units = sumOf(earned.map((one) => one.units))
  const parts = earned.map((one) => h('span.amount', part(one), ` on ${networkNames[one.network]}`))
  return card(symbol, amountText({ units, token: only.token }), parts)
}

/** True for a token that several networks pay. */
const isShared = ({ network, token }: TokenEarnings) => token === rewardTokensOf(network)[1]

function card(title: string, value: Child, note?: Child, kind: '' | '.main' = ''): HTMLElement {
  return h(`div.card${kind}`, h('dt', title), h('dd.value', value), note && h('dd.quiet', note))
}
