import { networkNames } from '../ask/series.ts'
import { h } from '../parts/h.ts'
import { type Column, table } from '../parts/table.ts'
import { stateTexts } from '../values/day-states.ts'
import { stepText } from '../values/days.ts'
import { amounts, usd } from './earned.ts'
import type { Earnings, Step } from './earnings-data.ts'

/** The steps that are shown before one asks for all. */
const FEW = 14

/** A row for each step, the newest first. */
export function dayTable({ steps, span, states, networks }: Earnings): HTMLElement {
  const rows = steps.toReversed()
  const state = ({ start }: Step) => states.get(start) ?? 'nothing'
  const columns: readonly Column<Step>[] = [
    {
      title: { day: 'Day', week: 'Week', month: 'Month' }[span.interval],
      cell: ({ start }) => stepText(start, span.interval),
    },
    ...(span.interval === 'day'
      ? [
          {
            title: 'State',
            isLead: true,
            cell: (step: Step) => h('span', { class: `state ${state(step)}` }, stateTexts[state(step)]),
          },
        ]
      : []),
    ...networks.map((network) => ({
      title: networkNames[network],
      isNumber: true,
      cell: ({ earned }: Step) => amounts(earned.filter((one) => one.network === network)),
    })),
    { title: 'USD', isNumber: true, isLead: true, cell: ({ earned }) => usd(earned) },
  ]
  const shown = (count: number) => table('What was earned, the newest first', columns, rows.slice(0, count))
  const whole = h('div', {}, shown(FEW))
  if (rows.length <= FEW) return whole
  const all = () => whole.replaceChildren(shown(rows.length))
  whole.append(h('button', { type: 'button', click: all }, `Show all ${rows.length}`))
  return whole
}
