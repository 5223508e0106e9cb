import type { Estimate } from '../../answers/records/estimate.ts'
import type { RecordPage, Repository } from '../../answers/repository.ts'
import type { Series } from '../../answers/series/series.ts'
import type { Reach } from '../../answers/unknown/reach.ts'
import type { Unknown } from '../../answers/unknown/unknown.ts'
import { fail } from '../../base/errors.ts'
import { type JsonObject, membersOf, type Written } from '../../base/values/json-writer.ts'
import { keyFilterOf, type SeriesRequest } from '../../catalog/query/series-parameters.ts'
import { seriesRecord } from '../../catalog/records/series-record.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { type HostedOperation, hostedRecords } from '../contract/hosted-sums.ts'
import { ListedObject } from '../contract/listed-object.ts'
import type { RestOperation } from '../contract/operations.ts'
import type { CheckedQuery } from '../contract/query-schema.ts'
import { seriesMeta } from '../contract/series-meta.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { readSeries } from '../read-series.ts'
import { coverageMember } from './coverage.ts'
import { rowWriter } from './series/row-writer.ts'
import { seriesLines } from './series/series-lines.ts'

/** A checked request with its snapshot. */
export interface RestRequest {
  readonly query: CheckedQuery
  readonly at: Snapshot
  /** Id of a lookup, otherwise empty. */
  readonly id: string
  /** Reach of the client's key. */
  readonly reach: Reach
}

/** Result of an operation before it is written as JSON. */
export interface OperationResult {
  /** The whole response. */
  readonly whole: JsonObject | Written
  /** Matching rows of all pages; only for lists. */
  readonly total?: number
  /** Access path, if reading decided it. */
  readonly by?: string | undefined
  /** Unknown values in the request for a series. */
  readonly unknown?: Unknown | undefined
}

/** The ways to compute the response to one request. */
export interface Search {
  /** Access path, if it is chosen before reading. */
  readonly by?: string
  /** Returns the result if no I/O is needed. */
  readonly peek?: () => OperationResult | undefined
  readonly estimate: () => Estimate
  readonly find: (signal: AbortSignal) => Promise<OperationResult>
}

export type Handler = (request: RestRequest) => Search

type MakeHandler = (operation: RestOperation, repository: Repository, dialect: Dialect) => Handler

const makers: Readonly<Record<RestOperation['kind'], MakeHandler>> = {
  list:
    ({ resource, rest }, repository, dialect) =>
    ({ query, at }) => {
      const resultOf = ({ meta, total, records }: RecordPage, by?: string): OperationResult => ({
        whole: { meta: dialect.metaOf(meta, total), [dialect.envelopeOf(rest)]: records },
        total,
        by,
      })
      const list = repository.list(resource, query.filters, query, at)
      return {
        estimate: list.estimate,
        peek() {
          const page = list.peek()
          return page && resultOf(page, page.by)
        },
        find: async (signal) => resultOf(await list.read(signal)),
      }
    },

  find:
    ({ resource, rest }, repository) =>
    ({ id, at }) => {
      const required = (record: Written | undefined) =>
        record ?? fail('not_found', `${rest.find?.thing} not found`)
      const lookup = repository.find(resource, id, at)
      return {
        estimate: lookup.estimate,
        peek() {
          const result = lookup.peek()
          return result && single(required(result.record), result.by)
        },
        find: async (signal) => single(required((await lookup.read(signal)).record)),
      }
    },

  totals:
    ({ resource }, repository) =>
    ({ query, at }) => {
      const totalsQuery = repository.totals(resource, query.filters, at)
      const covered = () => coverageMember(repository.coverages, resource, query, at)
      return {
        by: totalsQuery.by,
        estimate: totalsQuery.estimate,
        peek() {
          const totals = totalsQuery.peek()
          if (totals === undefined || !query.coverage) return totals && single(totals)
          const coverage = covered()
          return coverage && single({ ...totals, ...coverage })
        },
        async find(signal) {
          const totals = await totalsQuery.read(signal)
          if (query.coverage) await repository.coverages.read(at, signal, resource)
          return single({ ...totals, ...covered() })
        },
      }
    },

  series:
    ({ resource }, repository, { spelling }) =>
    (rest) =>
      searchSeries(resource, repository, rest, (series, request, coverage, { unknown, names }) => {
        const { rows } = series
        const itemAt = (index: number) => seriesRecord(resource, rows.at(index), spelling)
        const writer = (integersAsText: boolean) => rowWriter(resource, rows, spelling, integersAsText)
        const named = { ...series, unknown, names }
        const before = { meta: seriesMeta(resource, request, rest.query.fromServed, named, spelling) }
        const { format, integersAsText, locale } = rest.query
        const lines = format && seriesLines(resource, rows, spelling, { format, integersAsText, locale })
        const listed = { before, name: 'records', count: rows.length, itemAt, writer, after: coverage, lines }
        return { whole: new ListedObject(listed), unknown }
      }),

  daily: hostedSums('daily'),
  providers: hostedSums('providers'),
}

export function handlerOf(operation: RestOperation, repository: Repository, dialect: Dialect): Handler {
  return makers[operation.kind](operation, repository, dialect)
}

function searchSeries(
  resource: Resource,
  repository: Repository,
  { query, at, reach }: RestRequest,
  write: (
    series: Series,
    request: SeriesRequest,
    coverage: JsonObject | undefined,
    names: { readonly unknown: Unknown; readonly names: JsonObject },
  ) => OperationResult,
): Search {
  const request = query.series ?? fail('internal', 'a series was asked for without its parameters')
  const { filters } = query
  const unread = repository.series(resource, filters, request, at)
  const covered = () => coverageMember(repository.coverages, resource, query, at)
  return {
    by: unread.by,
    estimate: unread.estimate,
    peek() {
      const [series, coverage] = [unread.peek(), covered()]
      // Only sums of the whole network need no I/O.
      return series && coverage && write(series, request, coverage, { unknown: {}, names: {} })
    },
    async find(signal) {
      const keysParam = keyFilterOf(resource) ?? ''
      const seriesQuery = { resource, filters, request, series: unread, reach, at, keysParam }
      const { series, ...names } = await readSeries(repository, seriesQuery, signal)
      if (query.coverage) await repository.coverages.read(at, signal, resource)
      return write(series, request, covered(), names)
    },
  }
}

function hostedSums(kind: HostedOperation): MakeHandler {
  return ({ resource }, repository) =>
    (rest) =>
      searchSeries(resource, repository, rest, ({ rows }) => ({
        whole: { records: hostedRecords(resource, kind, rows) },
      }))
}

function single(record: JsonObject | Written, by?: string): OperationResult {
  return { whole: record, by }
}

/** Returns true for an empty list or sums of 0. */
export function isEmptyResult({ total, whole }: OperationResult): boolean {
  if (total !== undefined) return total === 0
  return Object.values(membersOf(whole)).every((sum) => typeof sum !== 'bigint' || sum === 0n)
}
