import type { ParamFault } from '../../base/errors.ts'
import { parameter, quoted, type RawQuery } from '../../base/parameter-text.ts'
import { hasEpochs } from '../embeddings.ts'
import type { Resource } from '../resource.ts'
import { type Days, instantsOf, isDay } from './days.ts'
import type { ValueDialect } from './filter-readers.ts'
import {
  type Checked,
  combineChecks,
  type Filters,
  type FilterValues,
  filterChecks,
  givenFilters,
  type NamedFilters,
} from './filter-values.ts'

/** Days of a time zone on which rewards were paid. An epoch belongs to the day of the middle of its period. */
export interface PaidDays extends Days {
  readonly tz: string
}

/** Descriptions of the parameters. */
export const paidDayParameters = {
  first_day: 'First day that was paid, as in 2025-02-01, or its month, as in 2025-02.',
  last_day: 'Last day that was paid, included; of a month its last day.',
} as const

type PaidDayValues = Partial<Record<keyof typeof paidDayParameters, string | undefined>>

/** Alternative to required filters, for error sentences. */
export const INSTEAD_OF_RANGE = 'or give first_day and last_day'

/** Filters of a range: ends of epochs, or times of the ledger. */
interface DayRange {
  readonly from: string
  readonly to: string
  /** True if the middle of the period determines the day. */
  readonly isOfEpochs: boolean
}

/** Returns the range filters of a resource; undefined if its rows have no days. */
export function rangeOfDays(resource: Resource): DayRange | undefined {
  const { filters = {}, columns } = resource
  const findFilter = (match: 'atLeast' | 'atMost') =>
    Object.entries(filters).find(([, filter]) => filter.match === match)
  const [from, to] = [findFilter('atLeast'), findFilter('atMost')]
  if (from === undefined || to === undefined) return undefined
  const isOfEpochs = hasEpochs(resource)
  const isOfTime = columns[from[1].column]?.kind === 'seconds'
  return isOfEpochs || isOfTime ? { from: from[0], to: to[0], isOfEpochs } : undefined
}

/** Creates the check of a day. A month stands for its first or last day. */
function paidDay(end: 'first' | 'last') {
  return parameter((text, wrong) => {
    if (text === undefined || isDay(text)) return text
    const first = `${text}-01`
    if (!/^20\d\d-\d\d$/.test(text) || !isDay(first))
      return wrong(`is ${quoted(text)}; use a day as in 2025-02-01, or a month as in 2025-02`)
    return end === 'first' ? first : lastOfMonth(text)
  })
}

function lastOfMonth(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

export const paidDayChecks = { first_day: paidDay('first'), last_day: paidDay('last') }

const isGiven = (raw: RawQuery, name: string) => {
  const value = raw[name]
  return value !== undefined && (typeof value === 'object' || value.trim() !== '')
}

/** True if a query has days. */
export function givesPaidDays(raw: RawQuery): boolean {
  return isGiven(raw, 'first_day') || isGiven(raw, 'last_day')
}

/** Returns faults of the two days together, and of a range that is given as well. */
function paidDayFaults(
  raw: RawQuery,
  { first_day: first, last_day: last }: PaidDayValues,
  range: DayRange,
): readonly ParamFault[] {
  const faults: ParamFault[] = []
  const addFault = (param: string, sentence: string) =>
    faults.push({ param, message: `${param} ${sentence}` })
  for (const param of [range.from, range.to])
    if (isGiven(raw, param))
      addFault(
        param,
        `cannot be combined with first_day or last_day; use either ${range.from} and ${range.to}, or the days`,
      )
  for (const [param, other] of [
    ['first_day', 'last_day'],
    ['last_day', 'first_day'],
  ] as const)
    if (range.isOfEpochs && !isGiven(raw, param))
      addFault(param, `is required beside ${other}; use a day as in 2025-02-01`)
  if (first !== undefined && last !== undefined && first > last)
    for (const param of ['first_day', 'last_day'])
      faults.push({
        param,
        message: `first_day is ${first} and last_day is ${last}; first_day must not be after last_day`,
      })
  return faults
}

/** Converts days to a range of whole seconds; either end may be absent. */
function secondsOfDays(
  { from, to }: DayRange,
  { first_day: first, last_day: last }: PaidDayValues,
  tz: string,
): Filters {
  const instants = (day: string) => instantsOf({ first: day, last: day }, tz)
  return {
    ...(first !== undefined && { [from]: instants(first).from / 1_000_000n }),
    ...(last !== undefined && { [to]: instants(last).to / 1_000_000n }),
  }
}

interface CheckedDays extends Checked<FilterValues> {
  readonly filters: Filters
  /** Undefined if `filters` has the range. */
  readonly days: PaidDays | undefined
}

/** Creates the check of filters with days instead of a range; it returns undefined for a query without days. */
export function daysCheck(
  resource: Resource,
  range: DayRange,
  filters: NamedFilters,
  dialect: ValueDialect,
): (raw: RawQuery, tz: string) => CheckedDays | undefined {
  const withoutRange = filters.filter(([name]) => name !== range.from && name !== range.to)
  const checkRemaining = combineChecks(filterChecks(resource, withoutRange, dialect))
  const checkDays = combineChecks(paidDayChecks)
  return (raw, tz) => {
    if (!givesPaidDays(raw)) return undefined
    const { values, faults } = checkRemaining(raw)
    const days = checkDays(raw)
    const { first_day: first, last_day: last } = days.values
    const seconds = range.isOfEpochs ? {} : secondsOfDays(range, days.values, tz)
    const isWhole = range.isOfEpochs && first !== undefined && last !== undefined
    return {
      values,
      faults: [...faults, ...days.faults, ...paidDayFaults(raw, days.values, range)],
      filters: { ...givenFilters(values), ...seconds },
      days: isWhole ? { first, last, tz } : undefined,
    }
  }
}
