import type { ParamFault } from '../../base/errors.ts'
import {
  booleanParameter,
  parameter,
  quoted,
  type RawQuery,
  refuse,
  textParameter,
} from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import { hasDays } from '../../catalog/embeddings.ts'
import type { ExportFormat } from '../../catalog/export-formats.ts'
import type { FilterValue, ValueDialect } from '../../catalog/query/filter-readers.ts'
import {
  combineChecks,
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
import { columnsChoice, exportFaults, fileChecks, localeFaults, medianInFile } from './export-parameters.ts'
import { type HostedOperation, hostedSeries, isHosted, longRangeFaults } from './hosted-sums.ts'
import { pageParameters } from './page-parameters.ts'

/** A checked query string. */
export interface CheckedQuery {
  /** Values of filters, by name. */
  readonly filters: Readonly<Record<string, FilterValue>>
  /** Days instead of a range; the snapshot resolves them to epochs. */
  readonly days?: PaidDays | undefined
  /** Page and page size; defaults for other operations. */
  readonly page: number
  readonly perPage: number
  /** True if integers become JSON strings, for readers that would round them. */
  readonly integersAsText: boolean
  /** Id or instant of the snapshot; undefined for the newest. */
  readonly asOf: string | undefined
  /** Parameters of a series; undefined for other operations. */
  readonly series?: SeriesRequest
  /** File format of a whole list; undefined for a page. */
  readonly format: ExportFormat | undefined
  /** Columns of the file; undefined for all. */
  readonly columns: readonly FlatColumn[] | undefined
  /** Language of CSV for spreadsheets. */
  readonly locale?: string | undefined
  /** True if the reply has coverage. */
  readonly coverage: boolean
  /** Start of the range after the look-back of the key; undefined if it did not cut. */
  readonly fromServed?: bigint | undefined
}

/** Differences between services with the same parameters. */
export interface QueryDialect extends ValueDialect {
  /** Default page size. */
  readonly perPage: number
  /** True if lists are available as files. */
  readonly givesFiles: boolean
  /** True if the sums of the hosted service are available. */
  readonly givesHostedSums: boolean
  /** True if a range may be given as paid days. */
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

/** Parameter `integers`: whether 64-bit integers become text. */
export const integersAsText = parameter((text, wrong) => {
  if (text === undefined || text === 'number') return false
  return text === 'string' ? true : wrong(`is ${quoted(text)}; use number or string`)
})

const common = {
  integers: integersAsText,
  as_of: textParameter,
}

/** Checks of parameters of lists, filters excluded. */
function listChecks(resource: Resource, { perPage, givesFiles }: QueryDialect) {
  const { page, per_page } = pageParameters(perPage)
  const paging = { page: wholeNumber(page), per_page: wholeNumber(per_page) }
  const { format, locale } = fileChecks('list')
  return { ...paging, ...(givesFiles && { format, columns: columnsChoice(resource), locale }) }
}

/** Kind of a REST operation. */
export type Operation = 'list' | 'totals' | 'series' | 'find' | HostedOperation

/** Filters of an operation that have one value. */
export function filtersOf(resource: Resource, operation: Operation): NamedFilters {
  const isListed = operation === 'series' && hasHotspots(resource)
  const filters = operation === 'find' ? [] : Object.entries(resource.filters ?? {})
  return isListed ? filters.filter(([name]) => name !== keyFilterOf(resource)) : filters
}

/** True if an operation takes `coverage`; lists take it for files. */
function takesCoverage(resource: Resource, operation: Operation, { givesFiles }: QueryDialect): boolean {
  const isSupported = operation === 'totals' || operation === 'series' || (operation === 'list' && givesFiles)
  return isSupported && hasDays(resource)
}

/** Returns the range that paid days may replace. */
export function daysOf(
  resource: Resource,
  operation: Operation,
  { takesDays }: QueryDialect = specifiedQueries,
) {
  const isRange = operation === 'list' || operation === 'totals' || operation === 'series'
  return isRange && takesDays ? rangeOfDays(resource) : undefined
}

export function parametersOf(
  resource: Resource,
  operation: Operation,
  dialect: QueryDialect = specifiedQueries,
): readonly string[] {
  const filters = filtersOf(resource, operation).map(([name]) => name)
  const listParameters = operation === 'list' ? Object.keys(listChecks(resource, dialect)) : []
  const steps = operation === 'series' ? Object.keys(seriesChecks(resource)) : []
  const series =
    operation === 'series' && dialect.givesFiles ? [...steps, ...Object.keys(fileChecks('series'))] : steps
  const covered = takesCoverage(resource, operation, dialect) ? ['coverage'] : []
  const days = daysOf(resource, operation, dialect) === undefined ? [] : Object.keys(paidDayParameters)
  return [...filters, ...days, ...series, ...listParameters, ...covered, ...Object.keys(common)]
}

const noFaults: readonly ParamFault[] = []

/** Most queries have no fault and need no new list. */
function joinFaults(lists: readonly (readonly ParamFault[])[]): readonly ParamFault[] {
  return lists.every((list) => list.length === 0) ? noFaults : lists.flat()
}

/** A checked query string and its faults. */
interface QueryCheck {
  readonly query: CheckedQuery
  /** All faults, unknown parameters included; `query` is valid only without any. */
  readonly faults: readonly ParamFault[]
}

/**
 * Creates the check of an operation's query string. `accepted` is the file format of the Accept header, used
 * without `format`. Errors: `malformed_request` that names every wrong parameter.
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

/** Creates the check without refusal, for code that adds faults. */
export function queryCheck(
  resource: Resource,
  operation: Operation,
  dialect: QueryDialect = specifiedQueries,
): (raw: RawQuery, accepted?: ExportFormat) => QueryCheck {
  const { page, per_page } = pageParameters(dialect.perPage)
  const filters = filtersOf(resource, operation)
  const names = parametersOf(resource, operation, dialect)
  const emptyRange = emptyRangeOf(filters, dialect)
  const range = daysOf(resource, operation, dialect)
  const checkFilters = combineChecks(
    filterChecks(resource, filters, { ...dialect, insteadOfRange: range && INSTEAD_OF_RANGE }),
  )
  const checkDays = range && daysCheck(resource, range, filters, dialect)
  const isList = operation === 'list'
  const isSeries = operation === 'series'
  const checkSeries = combineChecks<Record<string, unknown>>(isSeries ? seriesChecks(resource) : {})
  const coverage = takesCoverage(resource, operation, dialect) && { coverage: booleanParameter }
  const checkRemaining = combineChecks({
    ...(isList && listChecks(resource, dialect)),
    ...(isSeries && dialect.givesFiles && fileChecks('series')),
    ...coverage,
    ...common,
  })
  const withSeries = (query: CheckedQuery, values: Readonly<Record<string, unknown>>): CheckedQuery => {
    if (isSeries) return { ...query, series: seriesRequest(resource, values) }
    return isHosted(operation) ? { ...query, ...hostedSeries(resource, operation, query.filters) } : query
  }
  return (raw, accepted) => {
    const series = checkSeries(raw)
    const paidDays = checkDays?.(raw, String(series.values.tz ?? 'UTC'))
    const checked = paidDays ?? checkFilters(raw)
    const filters = paidDays?.filters ?? givenFilters(checked.values)
    const { values, faults } = checkRemaining(raw)
    const unknown = dialect.refusesUnknown ? unknownParameters(Object.keys(raw), names) : []
    const chosen = values.format ?? accepted
    const format = chosen === 'json' ? undefined : chosen
    const inFile = medianInFile(format, series.values.median === true)
    const seriesFaults = isSeries ? [...series.faults, ...medianFaults(series), ...inFile] : noFaults
    const query: CheckedQuery = {
      filters,
      ...(paidDays?.days !== undefined && { days: paidDays.days }),
      page: values.page ?? page.default,
      perPage: values.per_page ?? per_page.default,
      integersAsText: values.integers ?? false,
      asOf: values.as_of,
      format,
      columns: values.columns,
      ...(values.locale !== undefined && { locale: values.locale }),
      coverage: values.coverage ?? false,
    }
    const defaults = { page: page.default, perPage: per_page.default }
    const ofList = isList && dialect.givesFiles ? exportFaults(query, defaults) : noFaults
    const misplaced = values.locale === undefined ? ofList : [...ofList, ...localeFaults(format)]
    const empty = emptyRange(raw, checked.values)
    const tooLong = operation === 'daily' ? longRangeFaults(raw, checked.values) : noFaults
    return {
      query: withSeries(query, series.values),
      faults: joinFaults([unknown, checked.faults, seriesFaults, faults, misplaced, empty, tooLong]),
    }
  }
}
