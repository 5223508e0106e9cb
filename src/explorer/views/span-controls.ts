import type { Span } from '../ask/series.ts'
import { h } from '../parts/h.ts'
import { addDays, type ChartInterval, chartIntervals, daysBetween, isDayText } from '../values/days.ts'

const DAYS_UNLESS_GIVEN = 30
const lengths = [7, 30, 90, 365] as const

/** The first and last day with data. */
export interface Known {
  readonly first: string
  readonly last: string
}

/** Returns the span in the address of the page; by default the newest 30 days. */
export function spanIn(query: URLSearchParams, known: Known): Span {
  const [first, last] = [query.get('first'), query.get('last')]
  const interval = chartIntervals.find((one) => one === query.get('by')) ?? 'day'
  if (isDayText(first) && isDayText(last) && first <= last) return { first, last, interval }
  const days = Number(query.get('days'))
  const length = Number.isInteger(days) && days > 0 && days <= 3660 ? days : DAYS_UNLESS_GIVEN
  const [, start = known.first] = [addDays(known.last, 1 - length), known.first].toSorted()
  return { first: start, last: known.last, interval }
}

const byOf = (interval: ChartInterval) => (interval === 'day' ? {} : { by: interval })

/** Buttons and fields to choose days and steps. */
export function spanControls(
  span: Span,
  known: Known,
  go: (query: URLSearchParams) => void,
  kept: URLSearchParams,
): HTMLElement {
  const withOthers = (given: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams(kept)
    for (const name of ['days', 'first', 'last', 'by']) query.delete(name)
    for (const [name, value] of Object.entries(given)) query.set(name, value)
    return query
  }
  const by = byOf(span.interval)
  const length = daysBetween(span.first, span.last).length
  const button = (text: string, isPressed: boolean, given: Readonly<Record<string, string>>) =>
    h(
      'button',
      { type: 'button', 'aria-pressed': String(isPressed), click: () => go(withOthers(given)) },
      text,
    )
  const isToNow = span.last === known.last
  const isAll = isToNow && span.first === known.first
  const field = (id: 'first' | 'last') =>
    h('input', { type: 'date', id, value: span[id], min: known.first, max: known.last })
  const [first, last] = [field('first'), field('last')]
  const choose = (event: Event) => {
    event.preventDefault()
    if (isDayText(first.value) && isDayText(last.value))
      go(withOthers({ first: first.value, last: last.value, ...by }))
  }
  const range = { first: span.first, last: span.last }
  const names: Readonly<Record<ChartInterval, string>> = { day: 'Days', week: 'Weeks', month: 'Months' }
  const lengthButton = (days: number) => {
    const isPressed = isToNow && !isAll && length === days
    return button(days === 365 ? '1 year' : `${days} days`, isPressed, { days: String(days), ...by })
  }
  return h(
    'div.bar.controls',
    h(
      'div.segments',
      { role: 'group', 'aria-label': 'How far back' },
      lengths.map(lengthButton),
      button('All', isAll, { first: known.first, last: known.last, ...by }),
    ),
    h(
      'div.segments',
      { role: 'group', 'aria-label': 'Length of a step' },
      chartIntervals.map((one) => button(names[one], span.interval === one, { ...range, ...byOf(one) })),
    ),
    h(
      'form.dates',
      { submit: choose },
      h('label', { for: 'first' }, 'From'),
      first,
      h('label', { for: 'last' }, 'to'),
      last,
      h('button', { type: 'submit' }, 'Show'),
    ),
  )
}
