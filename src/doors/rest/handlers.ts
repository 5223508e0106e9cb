import type { Estimate } from '../../answers/records/estimate.ts'
import type { Page, Repository } from '../../answers/repository.ts'
import type { Reach, Unknown } from '../../answers/rows/unknown.ts'
import type { Series } from '../../answers/series/series.ts'
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
import { rowWriter } from './row-writer.ts'

/** A checked request, and the snapshot that it is answered from. */
export interface RestRequest {
  readonly query: CheckedQuery
  readonly at: Snapshot
  /** What a lookup looks for. */
  readonly id: string
  /** Reach of the client's key. */
  readonly reach: Reach
}

/** What an operation found, before it is written in a format. */
export interface Found {
  /** The whole reply. */
  readonly whole: JsonObject | Written
  /** How many match over all pages; of a list alone. */
  readonly total?: number
  /** Who gave it, where that was found out by reading it. */
  readonly by?: string | undefined
  /** Unknown values in the request for a series. */
  readonly unknown?: Unknown | undefined
}

/** How one request finds its reply. */
export interface Search {
  /** Who answers, where that is decided without reading anything. */
  readonly by?: string
  /** What is found without waiting for anything; undefined if something has to be waited for. */
  readonly atOnce?: () => Found | undefined
  /** What will be read for it. */
  readonly estimate: () => Estimate
  readonly find: (signal: AbortSignal) => Promise<Found>
}

export type Handler = (request: RestRequest) => Search

type MakeHandler = (operation: RestOperation, repository: Repository, dialect: Dialect) => Handler

const makers: Readonly<Record<RestOperation['kind'], MakeHandler>> = {
  list:
    ({ resource, rest }, repository, dialect) =>
    ({ query, at }) => {
      const found = ({ meta, total, records }: Page, by?: string): Found => ({
        whole: { meta: dialect.metaOf(meta, total), [dialect.envelopeOf(rest)]: records },
        total,
        by,
      })
      return {
        estimate: () => repository.estimate(resource, query.filters, query.perPage, at),
        atOnce() {
          const page = repository.atOnce.list(resource, query.filters, query, at)
          return page && found(page, page.by)
        },
        find: async (signal) => found(await repository.list(resource, query.filters, query, at, signal)),
      }
    },

  find:
    ({ resource, rest }, repository) =>
    ({ id, at }) => {
      const found = (record: Written | undefined) =>
        record ?? fail('not_found', `${rest.find?.thing} not found`)
      return {
        estimate: () => repository.estimateFind(resource, id, at),
        atOnce() {
          const known = repository.atOnce.find(resource, id, at)
          return known && single(found(known.records[0]), known.by)
        },
        find: async (signal) => single(found(await repository.find(resource, id, at, signal))),
      }
    },

  totals:
    ({ resource }, repository) =>
    ({ query, at }) => {
      const { choice, computeNow: known, read } = repository.totals(resource, query.filters, at)
      const covered = () => coverageMember(repository.coverages, resource, query, at)
      return {
        by: choice.by,
        estimate: () => repository.estimate(resource, query.filters, 1, at, choice),
        atOnce() {
          const totals = known()
          if (totals === undefined || !query.coverage) return totals && single(totals)
          const coverage = covered()
          return coverage && single({ ...totals, ...coverage })
        },
        async find(signal) {
          const totals = await read(signal)
          if (query.coverage) await repository.coverages.read(at, signal, resource)
          return single({ ...totals, ...covered() })
        },
      }
    },

  series:
    ({ resource }, repository, { spelling }) =>
    (asked) =>
      ofSeries(resource, repository, asked, (series, request, coverage, { unknown, names }) => {
        const { rows } = series
        const itemAt = (place: number) => seriesRecord(resource, rows.at(place), spelling)
        const writer = (integersAsText: boolean) => rowWriter(resource, rows, spelling, integersAsText)
        const told = { ...series, unknown, names }
        const before = { meta: seriesMeta(resource, request, asked.query.fromServed, told, spelling) }
        const listed = { before, name: 'records', count: rows.length, itemAt, writer, after: coverage }
        return { whole: new ListedObject(listed), unknown }
      }),

  daily: hostedSums('daily'),
  providers: hostedSums('providers'),
}

export function handlerOf(operation: RestOperation, repository: Repository, dialect: Dialect): Handler {
  return makers[operation.kind](operation, repository, dialect)
}

/** The search for a series, written as a reply has it. */
function ofSeries(
  resource: Resource,
  repository: Repository,
  { query, at, reach }: RestRequest,
  write: (
    series: Series,
    request: SeriesRequest,
    coverage: JsonObject | undefined,
    more: { readonly unknown: Unknown; readonly names: JsonObject },
  ) => Found,
): Search {
  const request = query.series ?? fail('internal', 'a series was asked for without its parameters')
  const { filters } = query
  const asked = repository.series(resource, filters, request, at)
  const { by, estimate, computeNow: known } = asked
  const covered = () => coverageMember(repository.coverages, resource, query, at)
  return {
    by,
    estimate,
    atOnce() {
      const [series, coverage] = [known(), covered()]
      // Only sums of the whole network are known without a read.
      return series && coverage && write(series, request, coverage, { unknown: {}, names: {} })
    },
    async find(signal) {
      const keysParam = keyFilterOf(resource) ?? ''
      const whole = { resource, filters, request, series: asked, reach, at, keysParam }
      const { series, ...more } = await readSeries(repository, whole, signal)
      if (query.coverage) await repository.coverages.read(at, signal, resource)
      return write(series, request, covered(), more)
    },
  }
}

function hostedSums(kind: HostedOperation): MakeHandler {
  return ({ resource }, repository) =>
    (asked) =>
      ofSeries(resource, repository, asked, ({ rows }) => {
        return { whole: { records: hostedRecords(resource, kind, rows) } }
      })
}

function single(record: JsonObject | Written, by?: string): Found {
  return { whole: record, by }
}

/** Whether no row is in a list or in any of the sums. */
export function matchesNothing({ total, whole }: Found): boolean {
  if (total !== undefined) return total === 0
  return Object.values(membersOf(whole)).every((sum) => typeof sum !== 'bigint' || sum === 0n)
}
