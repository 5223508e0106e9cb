import { groupBy } from '../../base/maps.ts'
import { countStates, type DayState, dayStates, stateTexts } from '../values/day-states.ts'
import { dayText, stepText, weekdayOf } from '../values/days.ts'
import { h } from './h.ts'

/** A square for each day in columns of weekdays, and a legend with the number of days in each state. A tap on a day names it. */
export function calendar(states: ReadonlyMap<string, DayState>): HTMLElement {
  const months = groupBy([...states], ([day]) => day.slice(0, 7))
  const counts = countStates([...states.values()])
  const square = ([day, state]: readonly [string, DayState]) => {
    const label = `${dayText(day)}: ${stateTexts[state]}`
    return h(`li.day.${state}.weekday-${weekdayOf(day)}`, { title: label }, h('span.hidden', label))
  }
  const said = h('p.quiet', { role: 'status' }, 'Weeks begin on Monday. Tap a day to read it.')
  const tap = ({ target }: Event) => {
    const day = target instanceof Element ? target.closest<HTMLElement>('ol .day') : null
    if (day !== null) said.textContent = day.title
  }
  const legend = (state: DayState) => {
    const days = `${counts[state]} ${counts[state] === 1 ? 'day' : 'days'}`
    return h('li', h(`span.day.${state}`, { 'aria-hidden': 'true' }), ` ${stateTexts[state]}: ${days}`)
  }
  const line = (month: string, days: readonly (readonly [string, DayState])[]) =>
    h('div.month', h('span.month-name', stepText(month, 'month')), h('ol', days.map(square)))
  return h(
    'div.calendar',
    { click: tap },
    h(
      'div.months',
      [...months].map(([month, days]) => line(month, days)),
    ),
    said,
    h('ul.key', dayStates.filter((state) => counts[state] > 0).map(legend)),
  )
}
