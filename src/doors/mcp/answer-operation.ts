import { identifiedBy } from '../../answers/rows/unknown.ts'
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
import { fromServedMember, missingIn } from '../rest/coverage.ts'
import { type Found, handlerOf, matchesNothing, type RestRequest } from '../rest/handlers.ts'
import { type Rows, writeReply } from './bounded-reply.ts'
import { writeCursor } from './cursor.ts'
import { digestOf, refuseCursorOfOther, requestCheck } from './request.ts'
import { filtersAt, snapshotFor, type Tool, type ToolContext } from './tool.ts'
import { unitsOf } from './units.ts'

/**
 * Answers an operation as REST does: the same checks and sentences, the same look-back, the same search in its turn. Only rows are
 * counted otherwise, by a cursor that keeps the snapshot.
 */
export function answerOperation(tool: string, operation: RestOperation, dialect: Dialect): Tool['answer'] {
  const { resource, kind, rest, needs } = operation
  const check = requestCheck(operation, dialect)
  const refuseUnknownNames = knownNames(resource)
  const tellsDays = hasDays(resource) && (kind === 'totals' || kind === 'series')
  const units = unitsOf(resource, kind)
  const rowsMember = kind === 'list' ? dialect.envelopeOf(rest) : 'records'

  async function find(request: RestRequest, { repository, caller }: ToolContext): Promise<Found> {
    const { signal } = caller
    const search = handlerOf(operation, repository, dialect)(request)
    const known = search.atOnce?.()
    if (known !== undefined) return known
    const work = workOf(`${kind} ${resource.name}`, search.estimate())
    return await caller.inTurn(work, () => unlessGone(search.find(signal), signal))
  }

  /** The days that a range lacks, as REST says it in a header; where manifests cannot be read, it says so. */
  async function missing({ filters }: CheckedQuery, at: Snapshot, context: ToolContext): Promise<JsonObject> {
    const { coverages } = context.repository
    const { signal, inTurn } = context.caller
    if (!tellsDays) return {}
    if (coverages.peek(resource, at) === undefined) {
      const reading = () => coverages.read(at, signal, resource).catch(() => {})
      await inTurn(readingLog, () => unlessGone(reading(), signal))
    }
    const found = missingIn(coverages, resource, filters, at)
    return found === undefined ? {} : { missing: found }
  }

  /** Unknown values of an empty list or of empty totals; a series has them in its meta. */
  async function unknownIn(found: Found, { filters }: CheckedQuery, at: Snapshot, context: ToolContext) {
    const asked = kind === 'list' || kind === 'totals' ? identifiedBy(resource, filters) : []
    if (asked.length === 0 || !matchesNothing(found)) return {}
    const { repository, caller } = context
    const { reach, signal } = caller
    const reading = () => unlessGone(repository.unknown.read(asked, reach, at, signal), signal)
    const unknown = repository.unknown.peek(asked, reach, at) ?? (await caller.inTurn(lookingUp, reading))
    return Object.keys(unknown).length === 0 ? {} : { unknown }
  }

  return async (given, context) => {
    const { caller, snapshots } = context
    caller.requireFeatures(needs)
    const { query: checked, id, rows: perPage, cursor } = check(given)
    // Of days it is how far the key looks back; which part of them it cuts off follows from the snapshot.
    const asked = digestOf(tool, resource.name, given, caller.allowed(resource, checked.filters).from)
    refuseCursorOfOther(cursor, asked)
    const before = cursor?.first ?? 0
    const page = kind === 'list' ? { page: Math.floor(before / perPage) + 1, perPage } : {}
    const asOf = cursor?.snapshot ?? checked.asOf

    async function answerAt(at: Snapshot): Promise<string> {
      const { filters, from: fromServed } = await filtersAt(resource, checked, at, context)
      const query = { ...checked, ...page, filters, fromServed }
      refuseUnknownNames(filters, at.table(resource))
      const days = await missing(query, at, context)
      const found = await find({ query, at, id, reach: caller.reach }, context)
      const { whole, total } = found
      const unknown = await unknownIn(found, query, at, context)
      const head = { snapshot: at.id, ...fromServedMember(fromServed), ...days, ...unknown, units }
      if (kind !== 'list' && !(whole instanceof ListedObject))
        return writeReply({ head, answer: membersOf(whole) })
      const { records, count, answer } =
        whole instanceof ListedObject ? rowsOfSeries(whole) : rowsOfPage(whole)
      const rows: Rows = {
        ...{ name: rowsMember, records, before, total: total ?? count },
        isCut: before + records.length < (total ?? count),
        next: (first) => nextOf(tool, writeCursor({ first, snapshot: at.id, asked })),
      }
      return writeReply({ head, answer, rows })
    }

    const rowsOfSeries = (series: ListedObject) => ({
      ...{ records: series.items(before, before + perPage), count: series.count, answer: series.others },
    })

    function rowsOfPage(page: JsonObject | Written) {
      // The meta of a list is of pages.
      const { [rowsMember]: listed, meta: _, ...answer } = membersOf(page)
      const all = isList(listed) ? listed : []
      // A page begins before the row to go on with when the reply before was cut within it.
      return { records: all.slice(before % perPage), count: all.length, answer }
    }

    const at = await snapshotFor(asOf, context)
    try {
      return await answerAt(at)
    } catch (error) {
      return await answerAt(await unlessGone(snapshots.insteadOf(at, asOf, error), caller.signal))
    }
  }
}

const nextOf = (tool: string, cursor: string): JsonObject => ({
  cursor,
  how: `Call ${tool} with the same arguments and this cursor.`,
})
