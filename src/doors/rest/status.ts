import type { FastifyInstance } from 'fastify'
import type { Coverages } from '../../answers/coverage/coverages.ts'
import { ServiceError, unlessDamaged } from '../../base/errors.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { writeInstant } from '../../base/values/instant.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resourceNamed } from '../../catalog/resources.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { lakeStatus } from '../../lake/snapshot/status.ts'
import type { SourceStatus } from '../../operate/sync/source-status.ts'
import { type StatusQuery, statusSchema } from '../contract/status-query.ts'
import { type NarrowedFilters, withinLookBack } from '../gate/look-back.ts'
import { readingLog } from '../gate/work-of.ts'
import { queryOf } from '../http/request-parameters.ts'
import { signalFor } from '../http/request-signal.ts'
import { jsonBody, send } from '../reply/representation.ts'
import type { RestContext } from './context.ts'
import { fromServedMember } from './coverage.ts'

/** Adds GET `<prefix>/status`: contents and completeness of the lake. */
export function addStatusRoute(server: FastifyInstance, prefix: string, context: RestContext): void {
  const { repository, snapshots, gate, requestTimeoutMs, dialect } = context
  const check = statusSchema(dialect.queries)
  async function read(asOf: string | undefined, signal: AbortSignal): Promise<Snapshot> {
    const at = await snapshots.of(asOf, signal)
    await readStatusCoverages(repository.coverages, at, signal)
    return at
  }
  server.get(`${prefix}/status`, gate.route(), async (request, reply) => {
    const query = check(queryOf(request))
    gate.enter(reply)
    const signal = signalFor(reply, requestTimeoutMs)
    const at = await gate.inTurn(reply, readingLog, signal, () =>
      unlessGone(read(query.asOf, signal), signal),
    )
    reply.header('Ledgerlake-Snapshot', at.id)
    const allowed: Allowed = (resource, filters) => withinLookBack(resource, filters, request, reply)
    const status = statusOf(at, repository.coverages, query, allowed)
    // Sources say nothing of an older snapshot.
    const sources = query.asOf === undefined ? ((await context.sources?.()) ?? []) : []
    const whole = { ...status, ...(sources.length > 0 && { sources: sources.map(sourceOf) }) }
    return send(reply, jsonBody(whole, query.integersAsText))
  })
}

/** Leaves out the address and the problem, which are for the operator. */
function sourceOf({ doneAt, problem, refused, missing }: SourceStatus): JsonObject {
  const done_at = doneAt === null ? null : writeInstant(BigInt(doneAt) * 1000n)
  return { done_at, is_failing: problem !== null, refused, missing }
}

/** Cuts filters to the client's look-back. */
type Allowed = (resource: Resource, filters: Filters) => NarrowedFilters

/** Reads the coverages for `statusOf`. Errors: `lake_damaged`, unless the status lists unreadable tables. */
export async function readStatusCoverages(
  coverages: Coverages,
  at: Snapshot,
  signal: AbortSignal,
): Promise<void> {
  try {
    await coverages.read(at, signal)
  } catch (error) {
    const isNamed = lakeStatus(at).unreadable !== undefined
    if (!isNamed || !(error instanceof ServiceError) || error.code !== 'lake_damaged') throw error
  }
}

/** Returns the status of a snapshot; read its coverages first. */
export function statusOf(
  at: Snapshot,
  coverages: Coverages,
  query: StatusQuery,
  allowed: Allowed,
): JsonObject {
  const { unreadable, tables: stored } = lakeStatus(at)
  const tables = stored.map(({ table, rows, sources, refused, firstPeriod, lastPeriod }) => ({
    ...{ table, rows: BigInt(rows), sources, refused, first_period: firstPeriod, last_period: lastPeriod },
    coverage: unlessDamaged(() => coverageOf(table)) ?? null,
  }))

  function coverageOf(table: string): JsonObject | null {
    const resource = resourceNamed(table)
    const span = resource && coverages.span(resource, at)
    if (resource === undefined || span === undefined) return null
    const start = query.from ?? span.from
    const { from } = allowed(resource, { from: start })
    const range = { from: from ?? start, to: query.to ?? span.to }
    const coverage = coverages.peek(resource, at)?.over(range)
    return coverage === undefined ? null : { ...coverage, ...fromServedMember(from) }
  }

  // The problems of unreadable tables would reveal local paths.
  return { snapshot: at.id, tables, ...(unreadable && { unreadable: unreadable.map(({ table }) => table) }) }
}
