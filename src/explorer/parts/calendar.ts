import { countStates, type DayState, dayStates, stateTexts } from '../values/day-states.ts'
import { dayText } from '../values/days.ts'
import { groupBy } from '../values/group.ts'
import { h } from './h.ts'

/** A square for each day, one line per month, and a legend with the number of days in each state. */
export function calendar(states: ReadonlyMap<string, DayState>): HTMLElement {
  const months = groupBy([...states], ([day]) => day.slice(0, 7))
  const counts = countStates([...states.values()])
  const square = ([day, state]: readonly [string, DayState]) => {
    const label = `${dayText(day)}: ${stateTexts[state]}`
    return h('li', { class: `day ${state}`, title: label }, h('span', { class: 'hidden' }, label))
  }
  const shown = dayStates.filter((state) => counts[state] > 0)
  return h(
    'div',
    { class: 'calendar' },
    [...months].map(([month, days]) =>
      h(
        'div',
        { class: 'month' },
        h('span', { class: 'month-name' }, dayText(`${month}-01`).replace(/^1 /, '')),
        h('ol', {}, days.map(square)),
      ),
    ),
    h(
      'ul',
      { class: 'key' },
      shown.map((state) =>
        h(
          'li',
          {},
          h('span', { class: `day ${state}`, 'aria-hidden': 'true' }),
          ` ${stateTexts[state]}: ${counts[state]} ${counts[state] === 1 ? 'day' : 'days'}`,
        ),
      ),
    ),
  )
}
