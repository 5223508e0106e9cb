import { identifiedBy } from '../../answers/unknown/identified.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { isList, type JsonObject, membersOf, type Written } from '../../base/values/json-writer.ts'
import { hasDays } from '../../catalog/embeddings.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { ListedObject } from '../contract/listed-object.ts'
import type { RestOperation } from '../contract/operations.ts'
import type { CheckedQuery } from '../contract/query-schema.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { lookingUp, readingLog, workOf } from '../gate/work-of.ts'
import { knownNames } from '../known-names.ts'
import { fromServedMember, missingHeader } from '../rest/coverage.ts'
import { handlerOf, isEmptyResult, type OperationResult, type RestRequest } from '../rest/handlers.ts'
import { type Rows, writeReply } from './bounded-reply.ts'
import { refuseForeignCursor, requestCheck, requestDigest, writeToolCursor } from './request.ts'
import { filtersAt, replyAt, type Tool, type ToolContext } from './tool.ts'
import { unitsOf } from './units.ts'

/** Answers a tool call with the checks, look-back and queueing of the REST operation. A cursor pins the snapshot. */
export function answerOperation(tool: string, operation: RestOperation, dialect: Dialect): Tool['answer'] {
  const { resource, kind, rest, needs } = operation
  const check = requestCheck(operation, dialect)
  const refuseUnknownNames = knownNames(resource)
  const tellsDays = hasDays(resource) && (kind === 'totals' || kind === 'series')
  const units = unitsOf(resource, kind)
  const rowsMember = kind === 'list' ? dialect.envelopeOf(rest) : 'records'

  async function findResult(
    request: RestRequest,
    { repository, client }: ToolContext,
  ): Promise<OperationResult> {
    const { signal } = client
    const search = handlerOf(operation, repository, dialect)(request)
    const immediate = search.peek?.()
    if (immediate !== undefined) return immediate
    const work = workOf(`${kind} ${resource.name}`, search.estimate())
    return await client.inTurn(work, () => unlessGone(search.find(signal), signal))
  }

  /** Returns the gaps of the range, as the header of REST counts them. */
  async function findMissingDays(
    { filters }: CheckedQuery,
    at: Snapshot,
    context: ToolContext,
  ): Promise<JsonObject> {
    const { coverages } = context.repository
    const { signal, inTurn } = context.client
    if (!tellsDays) return {}
    if (coverages.peek(resource, at) === undefined) {
      const reading = () => coverages.read(at, signal, resource).catch(() => {})
      await inTurn(readingLog, () => unlessGone(reading(), signal))
    }
    const gaps = missingHeader(coverages, resource, filters, at)
    return gaps === undefined ? {} : { missing: gaps }
  }

  /** Returns unknown values for an empty list or empty totals; a series has them in its meta. */
  async function findUnknownValues(
    result: OperationResult,
    { filters }: CheckedQuery,
    at: Snapshot,
    context: ToolContext,
  ) {
    const identifiers = kind === 'list' || kind === 'totals' ? identifiedBy(resource, filters) : []
    if (identifiers.length === 0 || !isEmptyResult(result)) return {}
    const { repository, client } = context
    const { reach, signal } = client
    const reading = () => unlessGone(repository.unknown.read(identifiers, reach, at, signal), signal)
    const unknown =
      repository.unknown.peek(identifiers, reach, at) ?? (await client.inTurn(lookingUp, reading))
    return Object.keys(unknown).length === 0 ? {} : { unknown }
  }

  return async (toolArguments, context) => {
    const { client } = context
    client.requireFeatures(needs)
    const { query: checked, id, rows: perPage, cursor } = check(toolArguments)
    // The digest has the start of the key's look-back; the part of the days that it cuts off depends on the
    // snapshot.
    const digest = requestDigest(
      tool,
      resource.name,
      toolArguments,
      client.allowed(resource, checked.filters).from,
    )
    refuseForeignCursor(cursor, digest)
    const before = cursor?.first ?? 0
    const page = kind === 'list' ? { page: Math.floor(before / perPage) + 1, perPage } : {}
    const asOf = cursor?.snapshot ?? checked.asOf

    async function answerAt(at: Snapshot): Promise<string> {
      const { filters, from: fromServed } = await filtersAt(resource, checked, at, context)
      const query = { ...checked, ...page, filters, fromServed }
      refuseUnknownNames(filters, at.table(resource))
      const days = await findMissingDays(query, at, context)
      const result = await findResult({ query, at, id, reach: client.reach }, context)
      const { whole, total } = result
      const unknown = await findUnknownValues(result, query, at, context)
      const head = { snapshot: at.id, ...fromServedMember(fromServed), ...days, ...unknown, units }
      if (kind !== 'list' && !(whole instanceof ListedObject))
        return writeReply({ head, answer: membersOf(whole) })
      const { records, count, answer } =
        whole instanceof ListedObject ? rowsOfSeries(whole) : rowsOfPage(whole)
      const rows: Rows = {
        ...{ name: rowsMember, records, before, total: total ?? count },
        isCut: before + records.length < (total ?? count),
        next: (first) => continuationOf(tool, writeToolCursor({ first, snapshot: at.id, digest })),
      }
      return writeReply({ head, answer, rows })
    }

    const rowsOfSeries = (series: ListedObject) => ({
      records: series.items(before, before + perPage),
      ...{ count: series.count, answer: series.outerMembers },
    })

    function rowsOfPage(page: JsonObject | Written) {
      // `meta` describes pages, which a tool does not have.
      const { [rowsMember]: listed, meta: _, ...answer } = membersOf(page)
      const rows = isList(listed) ? listed : []
      // A page may begin before the row of the cursor.
      return { records: rows.slice(before % perPage), count: rows.length, answer }
    }

    return await replyAt(asOf, context, answerAt)
  }
}

const continuationOf = (tool: string, cursor: string): JsonObject => ({
  cursor,
  how: `Call ${tool} with the same arguments and this cursor.`,
})
