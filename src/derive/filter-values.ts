import type { Column } from '../catalog/column.ts'
import type { Filter, Resource } from '../catalog/resource.ts'
import type { ParamFault } from '../errors.ts'
import { type FilterValue, filterSchema, isoOf, type ValueDialect } from './filter-readers.ts'
import { isBefore } from './instant.ts'
import { type ParameterSchema, quoted, type RawQuery } from './parameter-text.ts'

/** Values of filters by their names; what is not asked for is missing. */
export type Filters = Readonly<Record<string, FilterValue>>

/** Filters by the names that a door has for them. */
export type NamedFilters = readonly (readonly [string, Filter])[]

/** Checks of parameters by their names. */
export type Schemas = readonly (readonly [param: string, schema: ParameterSchema])[]

/** One check for each filter. */
export function filterSchemas(resource: Resource, filters: NamedFilters, dialect: ValueDialect): Schemas {
  return filters.map(([name, filter]) => [
    name,
    filterSchema(filter, resource.columns[filter.column] as Column, dialect),
  ])
}

/** The values of parameters, and what is wrong with which. */
interface Checked {
  readonly values: Readonly<Record<string, unknown>>
  readonly faults: readonly ParamFault[]
}

/** Checks every parameter of a query. Most are absent, so the result for an absent value is computed once. */
export function checkOf(schemas: Schemas): (raw: RawQuery) => Checked {
  const checks = schemas.map(([param, schema]) => ({ param, schema, ofNothing: schema.safeParse(undefined) }))
  return (raw) => {
    const faults: ParamFault[] = []
    const values: Record<string, unknown> = {}
    for (const { param, schema, ofNothing } of checks) {
      const given = raw[param]
      const parsed = given === undefined ? ofNothing : schema.safeParse(given)
      if (parsed.success) values[param] = parsed.data
      else faults.push({ param, message: `${param} ${parsed.error.issues[0]?.message}` })
    }
    return { values, faults }
  }
}

/** The filters that have a value. */
export function givenFilters(filters: NamedFilters, values: Readonly<Record<string, unknown>>): Filters {
  const given: Record<string, FilterValue> = {}
  for (const [name] of filters) {
    const value = values[name] as FilterValue | undefined
    if (value !== undefined) given[name] = value
  }
  return given
}

/** Tells when `from` is not before `to`; both are named. */
export function emptyRangeOf(filters: NamedFilters, dialect: ValueDialect) {
  const from = filters.find(([, filter]) => filter.match === 'atLeast')?.[0]
  const to = filters.find(([, filter]) => filter.match === 'atMost')?.[0]

  return (raw: RawQuery, values: Checked['values']): readonly ParamFault[] => {
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
