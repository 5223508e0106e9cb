import { h } from '../parts/h.ts'
import { pagedTable } from '../parts/paged-table.ts'
import type { TableColumn } from '../parts/table.ts'
import { stateTexts } from '../values/day-states.ts'
import { stepText } from '../values/days.ts'
import { networkNames } from '../values/networks.ts'
import { amounts, usd } from './earned.ts'
import type { Earnings, Step } from './earnings-data.ts'

/** Steps shown before the user asks for all. */
const FEW = 14

/** A table with one row per step, newest first. */
export function dayTable({ steps, span, states, networks }: Earnings): HTMLElement {
  const rows = steps.toReversed()
  const state = ({ start }: Step) => states.get(start) ?? 'nothing'
  const columns: readonly TableColumn<Step>[] = [
    {
      title: { day: 'Day', week: 'Week', month: 'Month' }[span.interval],
      cell: ({ start }) => stepText(start, span.interval),
    },
    ...(span.interval === 'day'
      ? [
          {
            title: 'State',
            isLead: true,
            cell: (step: Step) => h(`span.state.${state(step)}`, stateTexts[state(step)]),
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
  return pagedTable('What was earned, the newest first', columns, rows, FEW)
}
