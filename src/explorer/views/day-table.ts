import { h } from '../parts/h.ts'
import { pagedTable } from '../parts/paged-table.ts'
import type { TableColumn } from '../parts/table.ts'
import { stateTexts } from '../values/day-states.ts'
import { stepText } from '../values/days.ts'
import { networkNames } from '../values/networks.ts'
import { amounts, isPaid, usdColumn } from './earned.ts'
import type { Earnings, Step } from './earnings-data.ts'

/** Steps shown before the user asks for all. */
const FEW = 14

/** A table with one row per step, newest first. */
export function dayTable({ steps, span, states, networkStates, networks }: Earnings): HTMLElement {
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
      cell: ({ start, earned }: Step) => {
        const ofNetwork = earned.filter((one) => one.network === network)
        const state = networkStates.get(network)?.get(start)
        const isTold = span.interval === 'day' && networks.length > 1 && state !== undefined
        return isTold && !ofNetwork.some(isPaid)
          ? h(`span.state.${state}`, stateTexts[state])
          : amounts(ofNetwork)
      },
    })),
    usdColumn(rows, ({ earned }) => earned),
  ]
  return pagedTable('What was earned, the newest first', columns, rows, FEW)
}
