import type { ParamFault } from '../../../base/errors.ts'
import type { RawQuery } from '../../../base/parameter-text.ts'
import type { FilterValue, ValueDialect } from '../../../catalog/query/filter-readers.ts'
import {
  combineChecks,
  emptyRangeOf,
  filterChecks,
  givenFilters,
} from '../../../catalog/query/filter-values.ts'
import { daysCheck, type PaidDays, rangeOfDays } from '../../../catalog/query/paid-days.ts'
import type { Filter, Resource } from '../../../catalog/resource.ts'
import { inCamelCase } from './graphql-filters.ts'

/** The filter of each argument of a list. */
type FilterArguments = Readonly<Record<string, { readonly filter: string }>>

export interface CheckedArguments {
  /** Values by filter name, not by argument name. */
  readonly filters: Readonly<Record<string, FilterValue>>
  readonly days: PaidDays | undefined
  readonly faults: readonly ParamFault[]
}

/** GraphQL returns an empty list for an unknown name. Clients depend on it. */
const dialect: ValueDialect = { refusesUnknown: false, utcInWords: false }

/** Creates the check of a list's filter arguments. All of them are optional. */
export function argumentsSchema(
  resource: Resource,
  named: FilterArguments,
): (raw: RawQuery) => CheckedArguments {
  const filters = Object.entries(named).map(([argument, { filter }]): [string, Filter] => {
    const declared = resource.filters?.[filter]
    if (declared === undefined) throw new Error(`${resource.name} has no filter ${filter}`)
    const { required: _, ...optional } = declared
    return [argument, optional]
  })
  const check = combineChecks(filterChecks(resource, filters, dialect))
  const emptyRange = emptyRangeOf(filters, dialect)
  const range = rangeOfArguments(resource, named)
  const checkDays = range && daysCheck(resource, range, filters, dialect)
  return (raw) => {
    const asDays = checkDays?.({ ...raw, first_day: raw.firstDay, last_day: raw.lastDay }, 'UTC')
    const { values, faults } = asDays ?? check(raw)
    const given = Object.entries(givenFilters(values))
    return {
      filters: Object.fromEntries(
        given.map(([argument, value]) => [named[argument]?.filter ?? argument, value]),
      ),
      days: asDays?.days,
      faults: asDays === undefined ? [...faults, ...emptyRange(raw, values)] : faults.map(inCamelCase),
    }
  }
}

/** Returns the range arguments that days may replace; undefined unless the range is one of epochs. */
export function rangeOfArguments(resource: Resource, named: FilterArguments) {
  const range = rangeOfDays(resource)
  if (range?.isOfEpochs !== true) return undefined
  const argumentOf = (param: string) => Object.keys(named).find((name) => named[name]?.filter === param)
  const [from, to] = [argumentOf(range.from), argumentOf(range.to)]
  return from === undefined || to === undefined ? undefined : { ...range, from, to }
}
