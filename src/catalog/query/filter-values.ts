import type { ParamFault } from '../../base/errors.ts'
import { type ParameterCheck, quoted, type RawQuery, Wrong } from '../../base/parameter-text.ts'
import { isBefore } from '../../base/values/instant.ts'
import type { Filter, Resource } from '../resource.ts'
import { type FilterValue, filterCheck, isoOf, type ValueDialect } from './filter-readers.ts'

/** Values of the filters that a request has, by name. */
export type Filters = Readonly<Record<string, FilterValue>>

/** Filters by their parameter names. */
export type NamedFilters = readonly (readonly [string, Filter])[]

/** A check of each parameter, by name. */
type Checks<Values> = { readonly [Param in keyof Values]: ParameterCheck<Values[Param]> }

/** Values of filters, by name; undefined if absent. */
export type FilterValues = Readonly<Record<string, FilterValue | undefined>>

/** Creates the check of each filter. */
export function filterChecks(
  { columns }: Resource,
  filters: NamedFilters,
  dialect: ValueDialect,
): Checks<FilterValues> {
  return Object.fromEntries(
    filters.map(([param, filter]) => [param, filterCheck(filter, columns[filter.column], dialect)]),
  )
}

/** Valid values, and faults of the other parameters. */
export interface Checked<Values> {
  readonly values: Partial<Values>
  readonly faults: readonly ParamFault[]
}

/** Creates a check of all parameters. Most are absent, so each result for an absent value is computed once. */
export function combineChecks<Values extends object>(
  checks: Checks<Values>,
): (raw: RawQuery) => Checked<Values> {
  const entries = Object.entries<ParameterCheck>(checks).map(([param, check]) => {
    return { param, check, ofNothing: check(undefined) }
  })
  return (raw) => {
    const faults: ParamFault[] = []
    const values: Record<string, unknown> = {}
    for (const { param, check, ofNothing: ifAbsent } of entries) {
      const given = raw[param]
      const value = given === undefined ? ifAbsent : check(given)
      if (value instanceof Wrong) faults.push({ param, message: `${param} ${value.sentence}` })
      else if (value !== undefined) values[param] = value
    }
    return { values: values as Partial<Values>, faults }
  }
}

/** Drops absent filters. */
export function givenFilters(values: FilterValues): Filters {
  const filters: Record<string, FilterValue> = {}
  for (const name in values) {
    const value = values[name]
    if (value !== undefined) filters[name] = value
  }
  return filters
}

/** Creates a check that `from` is before `to`; it returns a fault for both. */
export function emptyRangeOf(filters: NamedFilters, dialect: ValueDialect) {
  const from = filters.find(([, filter]) => filter.match === 'atLeast')?.[0]
  const to = filters.find(([, filter]) => filter.match === 'atMost')?.[0]

  return (raw: RawQuery, values: FilterValues): readonly ParamFault[] => {
    if (from === undefined || to === undefined) return []
    const [least, most] = [values[from], values[to]]
    // Rounding narrows a range, so the original texts decide whether it was empty.
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
