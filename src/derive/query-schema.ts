import { closest, distance } from 'fastest-levenshtein'
import { z } from 'zod'
import type { Column, Kind } from '../catalog/column.ts'
import type { Filter, Resource } from '../catalog/resource.ts'
import { fail, type ParamFault } from '../errors.ts'
import { isBefore, readInstant } from './instant.ts'

/** The value of a filter: as its column's kind has it. */
export type FilterValue = bigint | string

/** A checked query string. */
export interface CheckedQuery {
  /** Values of the filters that are given, by name. */
  readonly filters: Readonly<Record<string, FilterValue>>
  /** Page and page size; the defaults where the operation is not paged. */
  readonly page: number
  readonly perPage: number
  /** Integers as JSON strings, for readers that would round them. */
  readonly integersAsText: boolean
  /** Id of the snapshot to answer from; undefined for the newest. */
  readonly asOf: string | undefined
}

/** Query parameters by name; a repeated one is an array. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>

type NamedFilters = readonly (readonly [string, Filter])[]

const DEFAULT_PER_PAGE = 25
const MOST_PER_PAGE = 100
/** Keeps page times per_page a safe integer. */
const MOST_PAGE = 9_007_199_254_740

const clipped = (value: string) => (value.length > 80 ? `${value.slice(0, 80)}…` : value)
const quoted = (value: string) => JSON.stringify(clipped(value))

/** One text without control characters that no stored value has; blank means absent. */
const one = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value, context) => {
    if (Array.isArray(value)) {
      context.addIssue(`is given ${value.length} times; one value is accepted`)
      return z.NEVER
    }
    if (value?.includes('\0')) {
      context.addIssue('contains a NUL character; text without it is accepted')
      return z.NEVER
    }
    return value?.trim() === '' ? undefined : value
  })

const wholeNumber = (least: number, most: number, fallback: number) =>
  one.transform((value, context) => {
    if (value === undefined) return fallback
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (number >= least && number <= most) return number
    context.addIssue(`is ${quoted(value)}; a whole number from ${least} to ${most} is accepted`)
    return z.NEVER
  })

/** How a filter of each kind is read; kinds that no filter has yet compare as text. */
const filterReaders: Readonly<
  Partial<Record<Kind, (value: string, filter: Filter) => FilterValue | undefined>>
> = {
  instant: (value, filter) => readInstant(value, filter.match === 'atLeast' ? 'up' : 'down'),
}

const accepted: Readonly<Partial<Record<Kind, string>>> = {
  instant: 'an ISO 8601 date or time such as 2026-07-01 or 2026-07-01T00:00:00Z is accepted',
}

function filterSchema(filter: Filter, column: Column) {
  return one.transform((value, context) => {
    if (value === undefined) {
      if (filter.required) context.addIssue(`is required; ${accepted[column.kind] ?? 'a text is accepted'}`)
      return undefined
    }
    const read = filterReaders[column.kind] ?? ((text: string) => text)
    const known = read(value, filter)
    if (known !== undefined) return known
    context.addIssue(`is ${quoted(value)}; ${accepted[column.kind]}`)
    return z.NEVER
  })
}

const common = {
  integers: one.transform((value, context) => {
    if (value === undefined || value === 'number') return false
    if (value === 'string') return true
    context.addIssue(`is ${quoted(value)}; number or string is accepted`)
    return z.NEVER
  }),
  as_of: one,
}

const paging = {
  page: wholeNumber(1, MOST_PAGE, 1),
  per_page: wholeNumber(1, MOST_PER_PAGE, DEFAULT_PER_PAGE),
}

/** The parameters that an operation takes, with what each means. */
export function parametersOf(resource: Resource, paged: boolean): readonly string[] {
  return [
    ...Object.keys(resource.filters ?? {}),
    ...(paged ? Object.keys(paging) : []),
    ...Object.keys(common),
  ]
}

/**
 * The check of one operation's query string.
 * Errors: `malformed_request` that names every wrong parameter at once, unknown ones included.
 */
export function querySchema(resource: Resource, paged: boolean): (raw: RawQuery) => CheckedQuery {
  const filters = Object.entries(resource.filters ?? {})
  const names = parametersOf(resource, paged)
  const schemas: Readonly<Record<string, z.ZodType>> = {
    ...filterSchemas(resource, filters),
    ...paging,
    ...common,
  }
  return (raw) => {
    const known = Object.fromEntries(names.map((name) => [name, raw[name]]))
    const { values, faults } = checkEach(schemas, known)
    refuse([...unknownParameters(Object.keys(raw), names), ...faults, ...emptyRange(filters, raw, values)])
    return {
      filters: givenFilters(filters, values),
      page: values.page as number,
      perPage: values.per_page as number,
      integersAsText: values.integers as boolean,
      asOf: values.as_of as string | undefined,
    }
  }
}

/** Which filter an argument of a GraphQL list is. */
type FilterArguments = Readonly<Record<string, { readonly filter: string }>>

interface CheckedArguments {
  /** Values by the names of the filters, not of the arguments. */
  readonly filters: Readonly<Record<string, FilterValue>>
  readonly faults: readonly ParamFault[]
}

/** The check of a GraphQL list's filter arguments, which have names of their own and need not be given. */
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
  const schemas = filterSchemas(resource, filters)
  return (raw) => {
    const { values, faults } = checkEach(schemas, raw)
    const given = Object.entries(givenFilters(filters, values))
    return {
      filters: Object.fromEntries(
        given.map(([argument, value]) => [named[argument]?.filter ?? argument, value]),
      ),
      faults: [...faults, ...emptyRange(filters, raw, values)],
    }
  }
}

function filterSchemas(resource: Resource, filters: NamedFilters): Readonly<Record<string, z.ZodType>> {
  const schemas = filters.map(([name, filter]) => [
    name,
    filterSchema(filter, resource.columns[filter.column] as Column),
  ])
  return Object.fromEntries(schemas)
}

function checkEach(
  schemas: Readonly<Record<string, z.ZodType>>,
  raw: RawQuery,
): { readonly values: Readonly<Record<string, unknown>>; readonly faults: readonly ParamFault[] } {
  const faults: ParamFault[] = []
  const values: Record<string, unknown> = {}
  for (const [param, schema] of Object.entries(schemas)) {
    const parsed = schema.safeParse(raw[param])
    if (parsed.success) values[param] = parsed.data
    else faults.push({ param, message: `${param} ${parsed.error.issues[0]?.message}` })
  }
  return { values, faults }
}

/** Errors: `malformed_request` that names every fault at once, if there is one. */
export function refuse(faults: readonly ParamFault[]): void {
  if (faults.length === 0) return
  const sentences = new Set(faults.map((fault) => fault.message))
  fail('malformed_request', `${[...sentences].join('. ')}.`, { faults })
}

function givenFilters(
  filters: NamedFilters,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, FilterValue>> {
  const given = filters.flatMap(([name]) => (values[name] === undefined ? [] : [[name, values[name]]]))
  return Object.fromEntries(given) as Record<string, FilterValue>
}

/** Of very many unknown parameters the first are named and the others counted. */
const MOST_NAMED = 10

/** Faults for given names that are none of the known ones. */
export function unknownParameters(given: readonly string[], names: readonly string[]): ParamFault[] {
  const unknown = given.filter((name) => !names.includes(name))
  const faults = unknown.slice(0, MOST_NAMED).map((name) => {
    const meant = nearest(name, names)
    const hint = meant === undefined ? `${names.join(', ')} are accepted` : `did you mean ${meant}`
    return { param: clipped(name), message: `${named(name)} is not a parameter here; ${hint}` }
  })
  const [next, ...others] = unknown.slice(MOST_NAMED)
  if (next === undefined) return faults
  const and = others.length === 0 ? '' : ` and ${others.length} more`
  const message = `${named(next)}${and} cannot be parameters here either`
  return [...faults, { param: clipped(next), message }]
}

/** A name as it stands, or in quotes when it would not be seen as one. */
const named = (name: string) => (/^[^\s\p{C}]+$/u.test(name) ? clipped(name) : quoted(name))

/** The known name that was probably meant: at most a third of its letters differ. What follows a bracket is left out. */
function nearest(name: string, names: readonly string[]): string | undefined {
  const bare = name.toLowerCase().replace(/\W.*$/s, '')
  const known = closest(bare, [...names])
  return distance(bare, known) <= Math.ceil(Math.max(bare.length, known.length) / 3) ? known : undefined
}

/** `from` must be before `to`; both are named. */
function emptyRange(
  filters: NamedFilters,
  raw: RawQuery,
  values: Readonly<Record<string, unknown>>,
): readonly ParamFault[] {
  const from = filters.find(([, filter]) => filter.match === 'atLeast')?.[0]
  const to = filters.find(([, filter]) => filter.match === 'atMost')?.[0]
  if (from === undefined || to === undefined) return []
  const isGiven = values[from] !== undefined && values[to] !== undefined
  const [start, end] = [String(raw[from]), String(raw[to])]
  if (!isGiven || isBefore(start, end)) return []
  const message = `${from} is ${quoted(start)} and ${to} is ${quoted(end)}; a ${from} before ${to} is accepted`
  return [
    { param: from, message },
    { param: to, message },
  ]
}
