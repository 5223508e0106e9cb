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
  const by = span.interval === 'day' ? {} : { by: span.interval }
  const length = daysBetween(span.first, span.last).length
  const button = (text: string, isPressed: boolean, given: Readonly<Record<string, string>>) =>
    h(
      'button',
      { type: 'button', 'aria-pressed': String(isPressed), click: () => go(withOthers(given)) },
      text,
    )
  const isToNow = span.last === known.last
  const isAll = isToNow && span.first === known.first
  const first = h('input', {
    type: 'date',
    id: 'first',
    value: span.first,
    min: known.first,
    max: known.last,
  })
  const last = h('input', { type: 'date', id: 'last', value: span.last, min: known.first, max: known.last })
  const choose = (event: Event) => {
    event.preventDefault()
    if (isDayText(first.value) && isDayText(last.value))
      go(withOthers({ first: first.value, last: last.value, ...by }))
  }
  const range = { first: span.first, last: span.last }
  const names: Readonly<Record<ChartInterval, string>> = { day: 'Days', week: 'Weeks', month: 'Months' }
  return h(
    'div',
    { class: 'bar controls' },
    h(
      'div',
      { class: 'segments', role: 'group', 'aria-label': 'How far back' },
      lengths.map((days) =>
        button(days === 365 ? '1 year' : `${days} days`, isToNow && !isAll && length === days, {
          days: String(days),
          ...by,
        }),
      ),
      button('All', isAll, { first: known.first, last: known.last, ...by }),
    ),
    h(
      'div',
      { class: 'segments', role: 'group', 'aria-label': 'Put together by' },
      chartIntervals.map((interval) =>
        button(names[interval], span.interval === interval, {
          ...range,
          ...(interval === 'day' ? {} : { by: interval }),
        }),
      ),
    ),
    h(
      'form',
      { class: 'dates', submit: choose },
      h('label', { for: 'first' }, 'From'),
      first,
      h('label', { for: 'last' }, 'to'),
      last,
      h('button', { type: 'submit' }, 'Show'),
    ),
  )
}
