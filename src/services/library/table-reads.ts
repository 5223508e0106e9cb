import { exportList } from '../../answers/export/export-list.ts'
import type { Repository } from '../../answers/repository.ts'
import { fullReach } from '../../answers/unknown/reach.ts'
import { fail, ServiceError } from '../../base/errors.ts'
import { isSliceOver, nextSlice } from '../../base/slices.ts'
import { camelCase } from '../../base/values/camel-case.ts'
import { exportColumns } from '../../catalog/records/flat-columns.ts'
import type { Resource } from '../../catalog/resource.ts'
import { missingFormat } from '../../doors/contract/export-parameters.ts'
import { ListedObject } from '../../doors/contract/listed-object.ts'
import { operationsOf, type RestOperation } from '../../doors/contract/operations.ts'
import { type CheckedQuery, querySchema } from '../../doors/contract/query-schema.ts'
import { specifiedDialect } from '../../doors/dialect/dialect.ts'
import { daysOfQueries } from '../../doors/rest/days-of-query.ts'
import { handlerOf } from '../../doors/rest/handlers.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { CallOptions, ExportedFile, Page } from './calls.ts'
import { plainValue } from './plain-value.ts'
import { queryText } from './query-text.ts'

/** Returns the snapshot of a call. */
export type SnapshotOf = (signal: AbortSignal) => Promise<Snapshot>

/** A checked query at its snapshot. */
interface Asked {
  readonly query: CheckedQuery
  readonly at: Snapshot
  readonly signal: AbortSignal
}

/** Records of a page of `rows`. */
const ROWS_AT_ONCE = 1000

export const signalOf = ({ signal }: CallOptions) => signal ?? new AbortController().signal

/** The reads of an operation: they check a query, and find as REST does. */
function openOperation(repository: Repository, operation: RestOperation, snapshotOf: SnapshotOf) {
  const { resource, kind } = operation
  const check = querySchema(resource, kind)
  const days = daysOfQueries(operation, repository)
  const handle = handlerOf(operation, repository, specifiedDialect)

  /** Errors: `malformed_request` that names every wrong parameter. */
  async function ask(query: object, options: CallOptions): Promise<Asked> {
    const signal = signalOf(options)
    signal.throwIfAborted()
    const checked = check(queryText(query))
    const at = await snapshotOf(signal)
    await days.read(checked, at, signal)
    return { query: days.withinReach({ query: checked, at, id: '', reach: fullReach }, null), at, signal }
  }

  async function answer({ query, at, signal }: Asked, id = '') {
    const search = handle({ query, at, id, reach: fullReach })
    return (search.peek?.() ?? (await search.find(signal))).whole
  }

  const find = async (asked: Asked, id?: string): Promise<unknown> => plainValue(await answer(asked, id))

  return { ask, answer, find }
}

type OpenOperation = ReturnType<typeof openOperation>

function listReads(repository: Repository, resource: Resource, { ask, find }: OpenOperation) {
  async function readPage(asked: Asked): Promise<Page<unknown>> {
    const { meta, ...body } = (await find(asked)) as { meta: object }
    return { ...meta, records: Object.values(body)[0] } as Page<unknown>
  }

  return {
    page: async (query: object = {}, options: CallOptions = {}) => await readPage(await ask(query, options)),

    async *rows(query: object = {}, options: CallOptions = {}) {
      const call = await ask(query, options)
      for (let [page, pages] = [1, 1]; page <= pages; page += 1) {
        const { records, totalPages } = await readPage({
          ...call,
          query: { ...call.query, page, perPage: ROWS_AT_ONCE },
        })
        pages = totalPages
        for (const record of records) {
          call.signal.throwIfAborted()
          yield record
        }
      }
    },

    async export(query: object, options: CallOptions = {}): Promise<ExportedFile> {
      const { query: checked, at, signal } = await ask(query, options)
      const { format, columns = exportColumns(resource), filters, integersAsText, locale } = checked
      if (format === undefined)
        fail('malformed_request', 'format is missing; use ndjson, csv, parquet or arrow')
      const request = { resource, filters, columns, format, options: { integersAsText, locale } }
      const { rows, bytes } = await exportList(repository, request, at, signal)
      return { rows, bytes: bytes() }
    },
  }
}

function seriesFileOf({ ask, answer }: OpenOperation) {
  return async (query: object, options: CallOptions = {}): Promise<ExportedFile> => {
    const call = await ask(query, options)
    const whole = await answer(call)
    if (!(whole instanceof ListedObject) || whole.fileType === undefined)
      fail('malformed_request', `${missingFormat('series').message}.`)
    return { rows: whole.count, bytes: inSlices(whole.pieces(call.query.integersAsText), call.signal) }
  }
}

async function* inSlices(pieces: Iterable<Uint8Array>, signal: AbortSignal) {
  for (const piece of pieces) {
    if (isSliceOver()) await nextSlice(signal)
    yield piece
  }
}

function readsOf(repository: Repository, operation: RestOperation, snapshotOf: SnapshotOf): object {
  const opened = openOperation(repository, operation, snapshotOf)
  const read = async (query: object = {}, options: CallOptions = {}) =>
    await opened.find(await opened.ask(query, options))
  if (operation.kind === 'list') return listReads(repository, operation.resource, opened)
  if (operation.kind === 'totals') return { totals: read }
  if (operation.kind === 'series') return { series: read, seriesFile: seriesFileOf(opened) }
  return {
    async find(id: string, options: CallOptions = {}) {
      try {
        return await opened.find(await opened.ask({}, options), id)
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'not_found') return undefined
        throw error
      }
    },
  }
}

/** Returns the reads of every table, by its name in camelCase. */
export function tableReads(
  repository: Repository,
  resources: readonly Resource[],
  snapshotOf: SnapshotOf,
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    resources.map((resource) => [
      camelCase(resource.name),
      Object.assign({}, ...operationsOf([resource]).map((one) => readsOf(repository, one, snapshotOf))),
    ]),
  )
}
