import type { z } from 'zod'
import type { Column, Kind } from '../catalog/column.ts'
import type { Filter, Resource } from '../catalog/resource.ts'
import type { ParamFault } from '../errors.ts'
import { isCell } from './h3-cell.ts'
import { isBefore, readInstant } from './instant.ts'
import { parameter, quoted, type RawQuery } from './parameter-text.ts'

/** The value of a filter: as its column's kind has it; a list for filters that take several. */
export type FilterValue = bigint | string | readonly string[]

/** Filters by the names that a door has for them. */
export type NamedFilters = readonly (readonly [string, Filter])[]

/** How a filter of each kind is read; kinds that no filter has yet compare as text. */
const filterReaders: Readonly<
  Partial<Record<Kind, (value: string, filter: Filter) => FilterValue | undefined>>
> = {
  instant: (value, { match }) => readInstant(value, match === 'atLeast' ? 'up' : 'down'),
  seconds: readSeconds,
  long: readLong,
  whole: readLong,
  cell: (value) => {
    const index = readLong(value)
    return index !== undefined && isCell(index) ? index : undefined
  },
  uuid: (value) => value.toLowerCase(),
  texts: (value) => value.split(',').map((text) => text.trim()),
}

/** A second counts when it lies in the range whole or in part, so the start goes up and the end goes down. */
function readSeconds(value: string, { match }: Filter): bigint | undefined {
  const micros = readInstant(value, match === 'atLeast' ? 'up' : 'down')
  if (micros === undefined) return undefined
  const [second, rest] = [micros / 1_000_000n, micros % 1_000_000n]
  if (match === 'atLeast') return rest > 0n ? second + 1n : second
  return rest < 0n ? second - 1n : second
}

function readLong(value: string): bigint | undefined {
  if (!/^-?\d{1,30}$/.test(value)) return undefined
  const number = BigInt(value)
  return BigInt.asIntN(64, number) === number ? number : undefined
}

const A_TIME = 'an ISO 8601 date or time such as 2026-07-01 or 2026-07-01T00:00:00Z is accepted'
const A_LONG = 'a whole number of at most 64 bits is accepted'

const accepted: Readonly<Partial<Record<Kind, string>>> = {
  instant: A_TIME,
  seconds: A_TIME,
  long: A_LONG,
  whole: A_LONG,
  cell: 'an H3 cell as a decimal integer, such as 631280284262249471, is accepted',
}

function filterSchema(filter: Filter, column: Column) {
  const read = filterReaders[column.kind] ?? ((text: string) => text)
  return parameter((text, wrong) => {
    if (text !== undefined) return read(text, filter) ?? wrong(`is ${quoted(text)}; ${accepted[column.kind]}`)
    return filter.required
      ? wrong(`is required; ${accepted[column.kind] ?? 'a text is accepted'}`)
      : undefined
  })
}

/** Checks of parameters by their names. */
export type Schemas = readonly (readonly [param: string, schema: z.ZodType])[]

/** One check for each filter. */
export function filterSchemas(resource: Resource, filters: NamedFilters): Schemas {
  return filters.map(([name, filter]) => [
    name,
    filterSchema(filter, resource.columns[filter.column] as Column),
  ])
}

/** The values of parameters, and what is wrong with which. */
interface Checked {
  readonly values: Readonly<Record<string, unknown>>
  readonly faults: readonly ParamFault[]
}

/** Checks every parameter of a query. Most are not given, so what is said of nothing is found once. */
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
export function givenFilters(
  filters: NamedFilters,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, FilterValue>> {
  const given: Record<string, FilterValue> = {}
  for (const [name] of filters) {
    const value = values[name] as FilterValue | undefined
    if (value !== undefined) given[name] = value
  }
  return given
}

/** Tells when `from` is not before `to`; both are named. */
export function emptyRangeOf(filters: NamedFilters) {
  const from = filters.find(([, filter]) => filter.match === 'atLeast')?.[0]
  const to = filters.find(([, filter]) => filter.match === 'atMost')?.[0]

  return (raw: RawQuery, values: Checked['values']): readonly ParamFault[] => {
    if (from === undefined || to === undefined) return []
    const [least, most] = [values[from], values[to]]
    // Ends are rounded into the range, so one that is left after that was there before.
    if (typeof least !== 'bigint' || typeof most !== 'bigint' || least < most) return []
    const [start, end] = [String(raw[from]), String(raw[to])]
    if (isBefore(start, end)) return []
    const message = `${from} is ${quoted(start)} and ${to} is ${quoted(end)}; a ${from} before ${to} is accepted`
    return [
      { param: from, message },
      { param: to, message },
    ]
  }
}
