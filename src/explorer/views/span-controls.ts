import { h } from '../parts/h.ts'
import { type ChartInterval, chartIntervals, daysBetween, isDayText } from '../values/days.ts'
import { spanIn, spanParameters } from '../values/span-in.ts'
import { calendarSpans, calendarSpanTexts, type KnownDays } from '../values/spans.ts'

const lengths = [7, 30, 90, 365] as const

const stepNames: Readonly<Record<ChartInterval, string>> = { day: 'Days', week: 'Weeks', month: 'Months' }

/** Buttons and fields to choose days and steps. */
export function spanControls(
  query: URLSearchParams,
  known: KnownDays,
  go: (query: URLSearchParams) => void,
): HTMLElement {
  const { calendar, ...span } = spanIn(query, known)
  const changed = (removed: readonly string[], given: Readonly<Record<string, string>>) => {
    const changedQuery = new URLSearchParams(query)
    for (const name of removed) changedQuery.delete(name)
    for (const [name, value] of Object.entries(given)) changedQuery.set(name, value)
    return changedQuery
  }
  const button = (text: string, isPressed: boolean, changedQuery: () => URLSearchParams) =>
    h('button', { type: 'button', 'aria-pressed': String(isPressed), click: () => go(changedQuery()) }, text)
  const goToDays = (given: Readonly<Record<string, string>>) => changed(spanParameters, given)
  const length = daysBetween(span.first, span.last).length
  const isToNow = calendar === undefined && span.last === known.last
  const isAll = isToNow && span.first === known.first
  const field = (id: 'first' | 'last') =>
    h('input', { type: 'date', id, value: span[id], min: known.first, max: known.last })
  const [first, last] = [field('first'), field('last')]
  const choose = (event: Event) => {
    event.preventDefault()
    if (isDayText(first.value) && isDayText(last.value))
      go(goToDays({ first: first.value, last: last.value }))
  }
  const group = (label: string, buttons: readonly HTMLElement[]) =>
    h('div.segments', { role: 'group', 'aria-label': label }, buttons)
  return h(
    'div.bar.controls',
    group('How far back', [
      ...lengths.map((days) =>
        button(days === 365 ? '1 year' : `${days} days`, isToNow && !isAll && length === days, () =>
          goToDays({ days: String(days) }),
        ),
      ),
      button('All', isAll, () => goToDays({ ...known })),
    ]),
    group(
      'Months and years',
      calendarSpans.map((one) =>
        button(calendarSpanTexts[one], calendar === one, () => goToDays({ span: one })),
      ),
    ),
    group(
      'Length of a step',
      chartIntervals.map((one) =>
        button(stepNames[one], span.interval === one, () =>
          changed(['by'], one === 'day' ? {} : { by: one }),
        ),
      ),
    ),
    h(
      'form.dates',
      { submit: choose, novalidate: true },
      h('label', { for: 'first' }, 'From'),
      first,
      h('label', { for: 'last' }, 'to'),
      last,
      h('button', { type: 'submit' }, 'Show'),
    ),
  )
}
