import type { ParamFault } from '../../base/errors.ts'
import { parameter, quoted, type RawQuery } from '../../base/parameter-text.ts'
import { hasEpochs } from '../embeddings.ts'
import type { Resource } from '../resource.ts'
import { type Days, instantsOf, isDay } from './days.ts'
import type { ValueDialect } from './filter-readers.ts'
import {
  type Checked,
  checkOf,
  type Filters,
  type FilterValues,
  filterChecks,
  givenFilters,
  type NamedFilters,
} from './filter-values.ts'

/** Days on which rewards were paid, of a time zone. A reward of an epoch belongs to the day in which the middle of its period lies. */
export interface PaidDays extends Days {
  readonly tz: string
}

/** The parameters of paid days, and what each one says. */
export const paidDayParameters = {
  first_day: 'First day that was paid, as in 2025-02-01, or its month, as in 2025-02.',
  last_day: 'Last day that was paid, included; of a month its last day.',
} as const

type PaidDayValues = Partial<Record<keyof typeof paidDayParameters, string | undefined>>

/** Alternative to two required filters, as errors name it. */
export const INSTEAD_OF_RANGE = 'or give first_day and last_day'

/** The filters by which rows of a resource are of days: ends of epochs, or times of the ledger. */
interface Range {
  readonly from: string
  readonly to: string
  /** Whether the day of a row follows from the middle of its period. */
  readonly isOfEpochs: boolean
}

/** Undefined for a resource whose rows were not paid on days. */
export function rangeOfDays(resource: Resource): Range | undefined {
  const { filters = {}, columns } = resource
  const named = (match: 'atLeast' | 'atMost') =>
    Object.entries(filters).find(([, filter]) => filter.match === match)
  const [from, to] = [named('atLeast'), named('atMost')]
  if (from === undefined || to === undefined) return undefined
  const isOfEpochs = hasEpochs(resource)
  const isOfTime = columns[from[1].column]?.kind === 'seconds'
  return isOfEpochs || isOfTime ? { from: from[0], to: to[0], isOfEpochs } : undefined
}

/** The check of a first or a last day; a month is its first or its last one. */
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

/** The checks of both. */
export const paidDayChecks = { first_day: paidDay('first'), last_day: paidDay('last') }

const isGiven = (raw: RawQuery, name: string) => {
  const given = raw[name]
  return given !== undefined && (typeof given === 'object' || given.trim() !== '')
}

/** Whether a query asks for days rather than for a range. */
export function givesPaidDays(raw: RawQuery): boolean {
  return isGiven(raw, 'first_day') || isGiven(raw, 'last_day')
}

/** Faults of the two days together, and of a range beside them. */
function paidDayFaults(
  raw: RawQuery,
  { first_day: first, last_day: last }: PaidDayValues,
  range: Range,
): readonly ParamFault[] {
  const faults: ParamFault[] = []
  const wrong = (param: string, sentence: string) => faults.push({ param, message: `${param} ${sentence}` })
  for (const param of [range.from, range.to])
    if (isGiven(raw, param))
      wrong(
        param,
        `is given beside first_day or last_day; use either ${range.from} and ${range.to}, or the days`,
      )
  for (const [param, other] of [
    ['first_day', 'last_day'],
    ['last_day', 'first_day'],
  ] as const)
    if (range.isOfEpochs && !isGiven(raw, param))
      wrong(param, `is required beside ${other}; use a day as in 2025-02-01`)
  if (first !== undefined && last !== undefined && first > last)
    for (const param of ['first_day', 'last_day'])
      faults.push({
        param,
        message: `first_day is ${first} and last_day is ${last}; first_day must not be after last_day`,
      })
  return faults
}

/** Days as a range of whole seconds of the ledger; each of the two may be left out. */
function secondsOfDays(
  { from, to }: Range,
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
  /** Undefined where the filters have the range already. */
  readonly days: PaidDays | undefined
}

/** The check of filters with days instead of a range; undefined for a query without days. */
export function daysCheck(
  resource: Resource,
  range: Range,
  taken: NamedFilters,
  dialect: ValueDialect,
): (raw: RawQuery, tz: string) => CheckedDays | undefined {
  const withoutRange = taken.filter(([name]) => name !== range.from && name !== range.to)
  const checkOthers = checkOf(filterChecks(resource, withoutRange, dialect))
  const checkDays = checkOf(paidDayChecks)
  return (raw, tz) => {
    if (!givesPaidDays(raw)) return undefined
    const { values, faults } = checkOthers(raw)
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
