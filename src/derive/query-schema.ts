import type { Resource } from '../catalog/resource.ts'
import type { ExportFormat } from './export-formats.ts'
import { columnsChoice, exportFaults, formatChoice, JSON_FORMAT } from './export-parameters.ts'
import type { FilterValue, ValueDialect } from './filter-readers.ts'
import { checkOf, emptyRangeOf, filterSchemas, givenFilters } from './filter-values.ts'
import type { FlatColumn } from './flat-columns.ts'
import { oneText, parameter, quoted, type RawQuery, refuse } from './parameter-text.ts'
import { unknownParameters } from './unknown-parameters.ts'

/** A checked query string. */
export interface CheckedQuery {
  /** Values of the filters that are given, by name. */
  readonly filters: Readonly<Record<string, FilterValue>>
  /** Page and page size; the defaults where the operation is not paged. */
  readonly page: number
  readonly perPage: number
  /** Integers as JSON strings, for readers that would round them. */
  readonly integersAsText: boolean
  /** Id or instant of the snapshot to answer from; undefined for the newest. */
  readonly asOf: string | undefined
  /** How a whole list is given as a file; undefined for a page. */
  readonly format: ExportFormat | undefined
  /** Columns of that file; undefined for all. */
  readonly columns: readonly FlatColumn[] | undefined
}

/** In what services differ that take the same parameters. */
export interface QueryDialect extends ValueDialect {
  /** Records in a page when the caller names no number. */
  readonly perPage: number
  /** Whether lists are given as files too. */
  readonly givesFiles: boolean
}

/** Source: specification, "Limits", and docs/decisions, "Filters and unknown parameters". */
export const specifiedQueries: QueryDialect = {
  perPage: 25,
  givesFiles: true,
  refusesUnknown: true,
  utcInWords: false,
}

export const MOST_PER_PAGE = 100
/** Keeps page times per_page a safe integer. */
export const MOST_PAGE = 9_007_199_254_740

const wholeNumber = (least: number, most: number, fallback: number) =>
  parameter((text, wrong) => {
    if (text === undefined) return fallback
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    const isAccepted = number >= least && number <= most
    return isAccepted
      ? number
      : wrong(`is ${quoted(text)}; a whole number from ${least} to ${most} is accepted`)
  })

/** Whether 64-bit integers are asked for as text. */
export const integersAsText = parameter((text, wrong) => {
  if (text === undefined || text === 'number') return false
  return text === 'string' ? true : wrong(`is ${quoted(text)}; number or string is accepted`)
})

const common = {
  integers: integersAsText,
  as_of: oneText,
}

const paging = (perPage: number) => ({
  page: wholeNumber(1, MOST_PAGE, 1),
  per_page: wholeNumber(1, MOST_PER_PAGE, perPage),
})

const files = (resource: Resource) => ({
  format: formatChoice,
  columns: columnsChoice(resource),
})

/** Beside filters, what lists take and other operations do not. */
function ofLists(resource: Resource, { perPage, givesFiles }: QueryDialect) {
  return Object.entries({ ...paging(perPage), ...(givesFiles && files(resource)) })
}

/** A page of a list, sums over all of it, or one record of it. */
export type Operation = 'list' | 'totals' | 'find'

/** The names of the parameters that an operation takes. */
export function parametersOf(
  resource: Resource,
  operation: Operation,
  dialect: QueryDialect = specifiedQueries,
): readonly string[] {
  const filters = operation === 'find' ? [] : Object.keys(resource.filters ?? {})
  const own = operation === 'list' ? ofLists(resource, dialect).map(([name]) => name) : []
  return [...filters, ...own, ...Object.keys(common)]
}

/**
 * The check of one operation's query string; `accepted` is the format of files that the caller prefers, where `format` names none.
 * Errors: `malformed_request` that names every wrong parameter at once, unknown ones included.
 */
export function querySchema(
  resource: Resource,
  operation: Operation,
  dialect: QueryDialect = specifiedQueries,
): (raw: RawQuery, accepted?: ExportFormat) => CheckedQuery {
  const { perPage, refusesUnknown } = dialect
  const isList = operation === 'list'
  const filters = operation === 'find' ? [] : Object.entries(resource.filters ?? {})
  const names = parametersOf(resource, operation, dialect)
  const emptyRange = emptyRangeOf(filters, dialect)
  const check = checkOf([
    ...filterSchemas(resource, filters, dialect),
    ...(isList ? ofLists(resource, dialect) : []),
    ...Object.entries(common),
  ])
  return (raw, accepted) => {
    const { values, faults } = check(raw)
    const unknown = refusesUnknown ? unknownParameters(Object.keys(raw), names) : []
    const chosen = (values.format as ExportFormat | typeof JSON_FORMAT | undefined) ?? accepted
    const format = chosen === JSON_FORMAT ? undefined : chosen
    const misplaced = isList && dialect.givesFiles ? exportFaults(raw, format) : []
    refuse([...unknown, ...faults, ...misplaced, ...emptyRange(raw, values)])
    return {
      filters: givenFilters(filters, values),
      page: (values.page as number | undefined) ?? 1,
      perPage: (values.per_page as number | undefined) ?? perPage,
      integersAsText: values.integers as boolean,
      asOf: values.as_of as string | undefined,
      format,
      columns: values.columns as readonly FlatColumn[] | undefined,
    }
  }
}
