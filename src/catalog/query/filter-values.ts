import type { ParamFault } from '../../base/errors.ts'
import { type ParameterCheck, quoted, type RawQuery, Wrong } from '../../base/parameter-text.ts'
import { isBefore } from '../../base/values/instant.ts'
import type { Filter, Resource } from '../resource.ts'
import { type FilterValue, filterCheck, isoOf, type ValueDialect } from './filter-readers.ts'

/** Values of filters by their names; what is not asked for is missing. */
export type Filters = Readonly<Record<string, FilterValue>>

/** Filters by the names that a door has for them. */
export type NamedFilters = readonly (readonly [string, Filter])[]

/** The check of each parameter of some, by their names; each gives the value that the parameter has. */
type Checks<Values> = { readonly [Param in keyof Values]: ParameterCheck<Values[Param]> }

/** Values of filters, undefined for those that are absent. */
export type FilterValues = Readonly<Record<string, FilterValue | undefined>>

/** One check for each filter. */
export function filterChecks(
  { columns }: Resource,
  filters: NamedFilters,
  dialect: ValueDialect,
): Checks<FilterValues> {
  return Object.fromEntries(
    filters.map(([param, filter]) => [param, filterCheck(filter, columns[filter.column], dialect)]),
  )
}

/** The values of the parameters that are right, and what is wrong with the others. */
export interface Checked<Values> {
  readonly values: Partial<Values>
  readonly faults: readonly ParamFault[]
}

/** Checks every parameter of a query. Most are absent, so the result for an absent value is computed once. */
export function checkOf<Values extends object>(of: Checks<Values>): (raw: RawQuery) => Checked<Values> {
  const checks = Object.entries<ParameterCheck>(of).map(([param, check]) => {
    return { param, check, ofNothing: check(undefined) }
  })
  return (raw) => {
    const faults: ParamFault[] = []
    const values: Record<string, unknown> = {}
    for (const { param, check, ofNothing } of checks) {
      const given = raw[param]
      const value = given === undefined ? ofNothing : check(given)
      if (value instanceof Wrong) faults.push({ param, message: `${param} ${value.sentence}` })
      else if (value !== undefined) values[param] = value
    }
    return { values: values as Partial<Values>, faults }
  }
}

/** The filters that have a value. */
export function givenFilters(values: FilterValues): Filters {
  const given: Record<string, FilterValue> = {}
  for (const name in values) {
    const value = values[name]
    if (value !== undefined) given[name] = value
  }
  return given
}

/** The faults of a range whose `from` is not before its `to`: one for each of them. */
export function emptyRangeOf(filters: NamedFilters, dialect: ValueDialect) {
  const from = filters.find(([, filter]) => filter.match === 'atLeast')?.[0]
  const to = filters.find(([, filter]) => filter.match === 'atMost')?.[0]

  return (raw: RawQuery, values: FilterValues): readonly ParamFault[] => {
    if (from === undefined || to === undefined) return []
    const [least, most] = [values[from], values[to]]
    // Rounding only narrows a range, so the texts as given decide whether it was empty before.
    if (typeof least !== 'bigint' || typeof most !== 'bigint' || least < most) return []
    const [start, end] = [String(raw[from]), String(raw[to])]
    if (isBefore(isoOf(start, dialect), isoOf(end, dialect))) return []
    const message = `${from} is ${quoted(start)} and ${to} is ${quoted(end)}; ${from} must be before ${to}`
    return [
      { param: from, message },
      { param: to, message },
    ]
  }
}
