import type { Filter, Resource } from '../catalog/resource.ts'
import type { ParamFault } from '../errors.ts'
import { type FilterValue, filterSchema, isoOf, type ValueDialect } from './filter-readers.ts'
import { isBefore } from './instant.ts'
import { type ParameterSchema, quoted, type RawQuery } from './parameter-text.ts'

/** Values of filters by their names; what is not asked for is missing. */
export type Filters = Readonly<Record<string, FilterValue>>

/** Filters by the names that a door has for them. */
export type NamedFilters = readonly (readonly [string, Filter])[]

/** The check of each parameter of some, by their names; each gives the value that the parameter has. */
type Schemas<Values> = { readonly [Param in keyof Values]: ParameterSchema<Values[Param]> }

/** Values of filters, undefined for those that are absent. */
type FilterValues = Readonly<Record<string, FilterValue | undefined>>

/** One check for each filter. */
export function filterSchemas(
  { columns }: Resource,
  filters: NamedFilters,
  dialect: ValueDialect,
): Schemas<FilterValues> {
  return Object.fromEntries(
    filters.map(([param, filter]) => [param, filterSchema(filter, columns[filter.column], dialect)]),
  )
}

/** The values of the parameters that are right, and what is wrong with the others. */
interface Checked<Values> {
  readonly values: Partial<Values>
  readonly faults: readonly ParamFault[]
}

/** Checks every parameter of a query. Most are absent, so the result for an absent value is computed once. */
export function checkOf<Values extends object>(schemas: Schemas<Values>): (raw: RawQuery) => Checked<Values> {
  const checks = Object.entries<ParameterSchema>(schemas).map(([param, schema]) => {
    return { param, schema, ofNothing: schema.safeParse(undefined) }
  })
  return (raw) => {
    const faults: ParamFault[] = []
    const values: Record<string, unknown> = {}
    for (const { param, schema, ofNothing } of checks) {
      const given = raw[param]
      const parsed = given === undefined ? ofNothing : schema.safeParse(given)
      if (parsed.success) values[param] = parsed.data
      else faults.push({ param, message: `${param} ${parsed.error.issues[0]?.message}` })
    }
    return { values: values as Partial<Values>, faults }
  }
}

/** The filters that have a value. */
export function givenFilters(values: FilterValues): Filters {
  const given: Record<string, FilterValue> = {}
  for (const [name, value] of Object.entries(values)) if (value !== undefined) given[name] = value
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
