import type { JsonObject } from '../../derive/json-writer.ts'
import type { RestOperation } from '../../derive/operations.ts'
import type { CheckedQuery } from '../../derive/query-schema.ts'
import { fail } from '../../errors.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import type { Repository } from '../../repository/repository.ts'
import type { Dialect } from '../dialect/dialect.ts'

/** A checked request, and the snapshot that it is answered from. */
export interface RestRequest {
  readonly query: CheckedQuery
  readonly at: Snapshot
  /** What a lookup looks for. */
  readonly id: string
}

/** What an operation found, before it is written in a format. */
export interface Found {
  /** The whole reply. */
  readonly whole: JsonObject
  /** Its records alone: those of the page, or the one that was looked up, or the totals. */
  readonly records: readonly JsonObject[]
}

/** How one operation finds its reply. */
export interface Handlers {
  /** What is found without waiting for anything; undefined if something has to be waited for. */
  readonly atOnce?: (request: RestRequest) => Found | undefined
  readonly find: (request: RestRequest, signal: AbortSignal) => Promise<Found>
}

type MakeHandlers = (operation: RestOperation, repository: Repository, dialect: Dialect) => Handlers

const makers: Readonly<Record<RestOperation['kind'], MakeHandlers>> = {
  list: ({ resource, rest }, repository, dialect) => ({
    async find({ query, at }, signal) {
      const { meta, total, records } = await repository.list(resource, query.filters, query, at, signal)
      return { whole: { meta: dialect.metaOf(meta, total), [dialect.envelopeOf(rest)]: records }, records }
    },
  }),

  find: ({ resource, rest }, repository) => ({
    async find({ id, at }, signal) {
      const found = await repository.find(resource, id, at, signal)
      return single(found ?? fail('not_found', `${rest.find?.thing} not found`))
    },
  }),

  totals: ({ resource }, repository) => ({
    atOnce({ query, at }) {
      const totals = repository.totalsAtOnce(resource, query.filters, at)
      return totals && single(totals)
    },
    find: async ({ query, at }, signal) =>
      single(await repository.totals(resource, query.filters, at, signal)),
  }),
}

export function handlersOf(operation: RestOperation, repository: Repository, dialect: Dialect): Handlers {
  return makers[operation.kind](operation, repository, dialect)
}

function single(record: JsonObject): Found {
  return { whole: record, records: [record] }
}
