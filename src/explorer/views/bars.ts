import { fetched } from '../ask/api.ts'
import type { ChartData } from '../parts/chart.ts'
import { div, fill, h, quiet } from '../parts/h.ts'
import { refusal } from '../parts/panel.ts'
import { sumOf, symbolOf, wholeTokens } from '../values/amounts.ts'
import { stateTexts } from '../values/day-states.ts'
import { stepText } from '../values/days.ts'
import { colorOf, networkIds, networkNames } from '../values/networks.ts'
import { amountText, isPaid, type TokenEarnings, totalUsd } from './earned.ts'
import type { Earnings, Step } from './earnings-data.ts'

const USD = 'USD'

/** A chart of earnings in USD or in one token. Amounts in different tokens are never added. */
export function bars(earnings: Earnings): HTMLElement {
  const units = unitsOf(earnings)
  const container = h('div', {})
  const buttons = units.map((unit) => h('button', { type: 'button', click: () => void show(unit) }, unit))

  async function show(unit: string): Promise<void> {
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.textContent === unit))
    try {
      const { chart } = await fetched(import('../parts/chart.ts'))
      fill(container, chart(dataOf(earnings, unit)))
    } catch (error) {
      fill(
        container,
        refusal(error, () => void show(unit)),
      )
    }
  }

  const [first] = units
  if (first === undefined) return quiet('There is nothing to draw: nothing was earned in these days.')
  void show(first)
  return div(
    h(
      'div',
      { class: 'bar' },
      h('div', { class: 'segments', role: 'group', 'aria-label': 'Unit' }, buttons),
      h(
        'ul',
        { class: 'key' },
        earnings.networks.map((network) =>
          h('li', {}, h('span', { class: `swatch ${colorOf(network)}` }), networkNames[network]),
        ),
        [...earnings.states.values()].includes('missing')
          ? h('li', {}, h('span', { class: 'swatch missing' }), 'Data missing')
          : undefined,
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
    days: steps.map(({ start }) => start),
    layers: networkIds
      .filter((network) => earnings.networks.includes(network))
      .map((network) => ({
        name: networkNames[network],
        color: `--${colorOf(network)}`,
        amounts: steps.map(({ earned }) =>
          inUnit(
            earned.filter((one) => one.network === network),
            unit,
          ),
        ),
      })),
    gaps: steps.flatMap(({ start }, place) => (states.get(start) === 'missing' ? [place] : [])),
    tell: (place) => describeStep(steps[place], earnings),
  }
}

function inUnit(earned: readonly TokenEarnings[], unit: string): string | null {
  if (unit === USD) return totalUsd(earned) ?? null
  const inUnit = earned.filter(({ token }) => symbolOf(token) === unit)
  return inUnit.length === 0 ? null : sumOf(inUnit.map(({ units, token }) => wholeTokens(units, token)))
}

function describeStep(step: Step | undefined, { span, states }: Earnings): string {
  if (step === undefined) return ''
  const paid = step.earned.filter(isPaid)
  const state = span.interval === 'day' ? states.get(step.start) : undefined
  const amount = paid.map((one) => `${networkNames[one.network]} ${amountText(one)}`).join(', ')
  return `${stepText(step.start, span.interval)}: ${amount || (state && stateTexts[state]) || 'nothing earned'}`
}
