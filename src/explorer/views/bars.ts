import { type ChartData, chart } from '../parts/chart.ts'
import { div, h, quiet } from '../parts/h.ts'
import { fillLater } from '../parts/panel.ts'
import { shortUsd, sumOf, symbolOf, wholeTokens } from '../values/amounts.ts'
import { isGap, stateTexts } from '../values/day-states.ts'
import { stepText } from '../values/days.ts'
import { colorOf, type Network, networkIds, networkNames } from '../values/networks.ts'
import { amountText, isPaid, type TokenEarnings, totalUsd } from './earned.ts'
import type { Earnings, Step } from './earnings-data.ts'

const USD = 'USD'

/** A chart of earnings in USD or in one token. Amounts in different tokens are never added. */
export function bars(earnings: Earnings): HTMLElement {
  const units = unitsOf(earnings)
  const container = h('div')
  const buttons = units.map((unit) => h('button', { type: 'button', click: () => show(unit) }, unit))

  function show(unit: string): void {
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.textContent === unit))
    void fillLater(container, () => chart(dataOf(earnings, unit)))
  }

  const [first] = units
  if (first === undefined) {
    const isUnknown = [...earnings.states.values()].some(isGap)
    return quiet(`There is no chart: ${isUnknown ? 'no pay is known' : 'nothing was earned'} in these days.`)
  }
  show(first)
  const isMissing = [...earnings.states.values()].includes('missing')
  return div(
    h(
      'div.bar',
      h('div.segments', { role: 'group', 'aria-label': 'Unit' }, buttons),
      h(
        'ul.key',
        earnings.networks.map((one) => h('li', h(`span.swatch.${colorOf(one)}`), networkNames[one])),
        isMissing ? h('li', h('span.swatch.missing'), stateTexts.missing) : undefined,
      ),
    ),
    container,
  )
}

function unitsOf({ totals }: Earnings): readonly string[] {
  const paid = totals.filter(isPaid)
  const withToken = paid.filter(({ token }) => token !== null)
  const symbols = [...withToken, ...paid].map(({ token }) => symbolOf(token))
  return [...new Set([...(totalUsd(paid) === undefined ? [] : [USD]), ...symbols])]
}

function dataOf(earnings: Earnings, unit: string): ChartData {
  const { steps, span, states } = earnings
  return {
    label: `Bars of what was earned in ${unit}, by ${span.interval}. The table has the figures.`,
    sign: unit === USD ? '$' : '',
    days: steps.map(({ start }) => start),
    layers: networkIds
      .filter((network) => earnings.networks.includes(network))
      .map((network) => ({
        name: networkNames[network],
        color: `--${colorOf(network)}`,
        amounts: steps.map(({ earned }) => inUnit(earned, network, unit)),
      })),
    gaps: steps.flatMap(({ start }, place) => (states.get(start) === 'missing' ? [place] : [])),
    describe: (place) => describeStep(steps[place], earnings, unit),
  }
}

function inUnit(all: readonly TokenEarnings[], network: Network, unit: string): string | null {
  const earned = all.filter((one) => one.network === network)
  if (unit === USD) return totalUsd(earned) ?? null
  const inUnit = earned.filter(({ token }) => symbolOf(token) === unit)
  return inUnit.length === 0 ? null : sumOf(inUnit.map(({ units, token }) => wholeTokens(units, token)))
}

function describeStep(step: Step | undefined, { span, states }: Earnings, unit: string): string {
  if (step === undefined) return ''
  const paid = step.earned.filter(isPaid)
  const state = span.interval === 'day' ? states.get(step.start) : undefined
  const usd = unit === USD ? totalUsd(paid) : undefined
  const amounts = paid.map((one) => `${networkNames[one.network]} ${amountText(one)}`)
  const amount = [...(usd === undefined ? [] : [shortUsd(usd)]), ...amounts].join(', ')
  return `${stepText(step.start, span.interval)}: ${amount || (state && stateTexts[state]) || 'nothing earned'}`
}
