import type { ParamFault } from '../../base/errors.ts'
import { oneText, parameter, quoted, type RawQuery, refuse, yesOrNo } from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import { hasDays } from '../../catalog/embeddings.ts'
import type { ExportFormat } from '../../catalog/export-formats.ts'
import type { FilterValue, ValueDialect } from '../../catalog/query/filter-readers.ts'
import {
  checkOf,
  emptyRangeOf,
  filterChecks,
  givenFilters,
  type NamedFilters,
} from '../../catalog/query/filter-values.ts'
import {
  daysCheck,
  INSTEAD_OF_RANGE,
  type PaidDays,
  paidDayParameters,
  rangeOfDays,
} from '../../catalog/query/paid-days.ts'
import {
  hasHotspots,
  keyFilterOf,
  medianFaults,
  type SeriesRequest,
  seriesChecks,
  seriesRequest,
} from '../../catalog/query/series-parameters.ts'
import type { FlatColumn } from '../../catalog/records/flat-columns.ts'
import type { Resource } from '../../catalog/resource.ts'
import { columnsChoice, exportFaults, formatChoice } from './export-parameters.ts'
import { type HostedOperation, hostedSeries, isHosted, longRangeFaults } from './hosted-sums.ts'
import { pageParameters } from './page-parameters.ts'

/** A checked query string. */
export interface CheckedQuery {
  /** Values of the filters that are given, by name. */
  readonly filters: Readonly<Record<string, FilterValue>>
  /** Days instead of a range of ends of epochs; the snapshot says which epochs are of them. */
  readonly days?: PaidDays | undefined
  /** Page and page size; the defaults where the operation is not paged. */
  readonly page: number
  readonly perPage: number
  /** Integers as JSON strings, for readers that would round them. */
  readonly integersAsText: boolean
  /** Id or instant of the snapshot to answer from; undefined for the newest. */
  readonly asOf: string | undefined
  /** How a series is divided; undefined for other operations. */
  readonly series?: SeriesRequest
  /** How a whole list is given as a file; undefined for a page. */
  readonly format: ExportFormat | undefined
  /** Columns of that file; undefined for all. */
  readonly columns: readonly FlatColumn[] | undefined
  /** Whether the reply is to say how complete it is. */
  readonly coverage: boolean
  /** Where the range begins instead, since the key may not look back further. */
  readonly fromServed?: bigint | undefined
}

/** In what services differ that take the same parameters. */
export interface QueryDialect extends ValueDialect {
  /** Records in a page when the caller names no number. */
  readonly perPage: number
  /** Whether lists are given as files too. */
  readonly givesFiles: boolean
  /** Whether sums are given that only the hosted service has. */
  readonly givesHostedSums: boolean
  /** Whether a range may be given as the days that were paid. */
  readonly takesDays: boolean
}

/** Source: specification, "Limits", and docs/decisions, "Filters and unknown parameters". */
export const specifiedQueries: QueryDialect = {
  perPage: 25,
  givesFiles: true,
  givesHostedSums: false,
  takesDays: true,
  refusesUnknown: true,
  utcInWords: false,
}

type PageParameter = ReturnType<typeof pageParameters>['page']

const wholeNumber = ({ minimum, maximum, default: unlessGiven }: PageParameter) =>
  parameter((text, wrong) => {
    if (text === undefined) return unlessGiven
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    const isAccepted = number >= minimum && number <= maximum
    return isAccepted ? number : wrong(`is ${quoted(text)}; use a whole number from ${minimum} to ${maximum}`)
  })

/** Whether 64-bit integers are asked for as text. */
export const integersAsText = parameter((text, wrong) => {
  if (text === undefined || text === 'number') return false
  return text === 'string' ? true : wrong(`is ${quoted(text)}; use number or string`)
})

const common = {
  integers: integersAsText,
  as_of: oneText,
}

/** Beside filters, what lists take and other operations do not. */
function ofLists(resource: Resource, { perPage, givesFiles }: QueryDialect) {
  const { page, per_page } = pageParameters(perPage)
  const paging = { page: wholeNumber(page), per_page: wholeNumber(per_page) }
  return { ...paging, ...(givesFiles && { format: formatChoice, columns: columnsChoice(resource) }) }
}

/** A page of a list, sums over all of it, sums by day, or one record of it. */
export type Operation = 'list' | 'totals' | 'series' | 'find' | HostedOperation

/** The filters that an operation takes one value for. */
export function filtersOf(resource: Resource, operation: Operation): NamedFilters {
  const isListed = operation === 'series' && hasHotspots(resource)
  const filters = operation === 'find' ? [] : Object.entries(resource.filters ?? {})
  return isListed ? filters.filter(([name]) => name !== keyFilterOf(resource)) : filters
}

/** Operations of ranges of which it is known what they lack; a list says so as a file. */
function takesCoverage(resource: Resource, operation: Operation, { givesFiles }: QueryDialect): boolean {
  const asked = operation === 'totals' || operation === 'series' || (operation === 'list' && givesFiles)
  return asked && hasDays(resource)
}

/** The range that an operation takes as paid days too. */
export function daysOf(
  resource: Resource,
  operation: Operation,
  { takesDays }: QueryDialect = specifiedQueries,
) {
  const isRange = operation === 'list' || operation === 'totals' || operation === 'series'
  return isRange && takesDays ? rangeOfDays(resource) : undefined
}

/** The names of the parameters that an operation takes. */
export function parametersOf(
  resource: Resource,
  operation: Operation,
  dialect: QueryDialect = specifiedQueries,
): readonly string[] {
  const filters = filtersOf(resource, operation).map(([name]) => name)
  const own = operation === 'list' ? Object.keys(ofLists(resource, dialect)) : []
  const series = operation === 'series' ? Object.keys(seriesChecks(resource)) : []
  const covered = takesCoverage(resource, operation, dialect) ? ['coverage'] : []
  const days = daysOf(resource, operation, dialect) === undefined ? [] : Object.keys(paidDayParameters)
  return [...filters, ...days, ...series, ...own, ...covered, ...Object.keys(common)]
}

const noFaults: readonly ParamFault[] = []

/** Most queries have no fault, for which no list is made. */
function joined(lists: readonly (readonly ParamFault[])[]): readonly ParamFault[] {
  return lists.every((list) => list.length === 0) ? noFaults : lists.flat()
}

/** What a query string asks for, and what is wrong with it. */
interface QueryCheck {
  readonly query: CheckedQuery
  /** Every wrong parameter, unknown ones included; the query holds as long as there is none. */
  readonly faults: readonly ParamFault[]
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
  const check = queryCheck(resource, operation, dialect)
  return (raw, accepted) => {
    const { query, faults } = check(raw, accepted)
    refuse(faults)
    return query
  }
}

/** The same for those who find more faults before they refuse. */
export function queryCheck(
  resource: Resource,
  operation: Operation,
  dialect: QueryDialect = specifiedQueries,
): (raw: RawQuery, accepted?: ExportFormat) => QueryCheck {
  const { page, per_page } = pageParameters(dialect.perPage)
  const taken = filtersOf(resource, operation)
  const names = parametersOf(resource, operation, dialect)
  const emptyRange = emptyRangeOf(taken, dialect)
  const range = daysOf(resource, operation, dialect)
  const checkFilters = checkOf(
    filterChecks(resource, taken, { ...dialect, insteadOfRange: range && INSTEAD_OF_RANGE }),
  )
  const checkDays = range && daysCheck(resource, range, taken, dialect)
  const isList = operation === 'list'
  const isSeries = operation === 'series'
  const checkSeries = checkOf<Record<string, unknown>>(isSeries ? seriesChecks(resource) : {})
  const coverage = takesCoverage(resource, operation, dialect) && { coverage: yesOrNo }
  const checkOthers = checkOf({ ...(isList && ofLists(resource, dialect)), ...coverage, ...common })
  const withSeries = (query: CheckedQuery, values: Readonly<Record<string, unknown>>): CheckedQuery => {
    if (isSeries) return { ...query, series: seriesRequest(resource, values) }
    return isHosted(operation) ? { ...query, ...hostedSeries(resource, operation, query.filters) } : query
  }
  return (raw, accepted) => {
    const series = checkSeries(raw)
    const asDays = checkDays?.(raw, String(series.values.tz ?? 'UTC'))
    const given = asDays ?? checkFilters(raw)
    const filters = asDays?.filters ?? givenFilters(given.values)
    const { values, faults } = checkOthers(raw)
    const unknown = dialect.refusesUnknown ? unknownParameters(Object.keys(raw), names) : []
    const chosen = values.format ?? accepted
    const format = chosen === 'json' ? undefined : chosen
    const ofSeries = isSeries ? [...series.faults, ...medianFaults(series)] : noFaults
    const query: CheckedQuery = {
      filters,
      ...(asDays?.days !== undefined && { days: asDays.days }),
      page: values.page ?? page.default,
      perPage: values.per_page ?? per_page.default,
      integersAsText: values.integers ?? false,
      asOf: values.as_of,
      format,
      columns: values.columns,
      coverage: values.coverage ?? false,
    }
    const defaults = { page: page.default, perPage: per_page.default }
    const misplaced = isList && dialect.givesFiles ? exportFaults(query, defaults) : noFaults
    const empty = emptyRange(raw, given.values)
    const tooLong = operation === 'daily' ? longRangeFaults(raw, given.values) : noFaults
    return {
      query: withSeries(query, series.values),
      faults: joined([unknown, given.faults, ofSeries, faults, misplaced, empty, tooLong]),
    }
  }
}
