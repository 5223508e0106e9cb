import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inPieces } from '../../answers/export/in-pieces.ts'
import { isChanging } from '../../answers/sql/functions.ts'
import { fail } from '../../base/errors.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { version } from '../../base/version.ts'
import type { ExportFormat } from '../../catalog/export-formats.ts'
import { sqlFeatures } from '../../catalog/feature.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import {
  MOST_SQL_BODY_BYTES,
  MOST_SQL_ROWS,
  type SqlQuery,
  sqlBody,
  sqlFormats,
  sqlPath,
  sqlQuery,
} from '../contract/sql-query.ts'
import { openBody } from '../files/download.ts'
import { type OpenSql, sqlAccess } from '../gate/sql-access.ts'
import { readingLog, runningSql } from '../gate/work-of.ts'
import { queryOf } from '../http/request-parameters.ts'
import { signalFor } from '../http/request-signal.ts'
import { type Offered, preferred } from '../reply/accept.ts'
import { pinnedCacheControl } from '../reply/cache-control.ts'
import { isNotModified, tagOf } from '../reply/entity-tag.ts'
import { JSON_TYPE } from '../reply/representation.ts'
import type { RestContext } from './context.ts'
import { sqlFile, sqlJson } from './sql-reply.ts'

interface SqlRequest {
  readonly query: SqlQuery
  /** Undefined for JSON. */
  readonly format: ExportFormat | undefined
  readonly open: OpenSql
  readonly signal: AbortSignal
}

const formats: readonly [Offered, ...Offered[]] = [{ type: JSON_TYPE }, ...sqlFormats]

/** Adds GET and POST `<prefix>/sql`: the rows of one SELECT as JSON, or as a file. */
export function addSqlRoutes(server: FastifyInstance, prefix: string, context: RestContext): void {
  const { snapshots, gate, cache, exports, requestTimeoutMs, dialect } = context

  function open(request: FastifyRequest, reply: FastifyReply): SqlRequest {
    const access = sqlAccess(request, context)
    if (typeof access === 'string') return fail('feature_not_available', access)
    const raw = request.method === 'POST' ? sqlBody(request.body) : queryOf(request)
    const query = sqlQuery(raw, dialect.queries.refusesUnknown)
    const accepted = query.format ?? formatOf(preferred(reply, formats).type)
    const format = accepted === 'json' ? undefined : accepted
    if (format === undefined) gate.enter(reply)
    else gate.enterExports(reply)
    const signal = signalFor(reply, format === undefined ? requestTimeoutMs : exports.timeoutMs)
    return { query, format, open: access, signal }
  }

  async function readJson(sqlRequest: SqlRequest, at: Snapshot, reply: FastifyReply, signal: AbortSignal) {
    // A statement that waits for a process must not occupy an admission slot.
    const session = await sqlRequest.open(at, signal)
    const read = () => sqlJson(session, sqlRequest.query, at, signal)
    const body = await gate.inTurn(reply, runningSql, signal, read).finally(() => session.close())
    return { type: JSON_TYPE, body }
  }

  async function openFile(
    { query, open, signal }: SqlRequest,
    format: ExportFormat,
    at: Snapshot,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const pieces = inPieces(sqlFile(await open(at, signal), query, format, signal))
    const download = { request, reply, signal, stallMs: exports.stallMs }
    const body = await gate.inTurn(reply, runningSql, signal, () => openBody(pieces, download))
    reply.header('Content-Disposition', `attachment; filename="result${format.extension}"`)
    return { type: format.type, body }
  }

  async function answerAt(
    sqlRequest: SqlRequest,
    at: Snapshot,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const { query, format, signal } = sqlRequest
    const tag = isChanging(query.statement) ? undefined : tagOfSql(query, format, at)
    const isGet = request.method !== 'POST' && tag !== undefined
    reply.headers({
      'Ledgerlake-Snapshot': at.id,
      'Cache-Control': isGet ? pinnedCacheControl(query.asOf, request.apiKey !== null) : 'no-store',
    })
    // Groups may come in another order, so the tag is weak.
    if (isGet) reply.header('ETag', `W/"${tag}"`)
    if (isGet && isNotModified(request, tag)) return reply.code(304).send()
    const compute = (within: AbortSignal) => readJson(sqlRequest, at, reply, within)
    const { type, body } =
      format !== undefined
        ? await openFile(sqlRequest, format, at, request, reply)
        : (tag && cache.get(tag)) || (await (tag ? cache.compute(tag, signal, compute) : compute(signal)))
    return reply.type(type).send(body)
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const sqlRequest = open(request, reply)
    const { query, signal } = sqlRequest
    const at =
      snapshots.known(query.asOf) ??
      (await gate.inTurn(reply, readingLog, signal, () => snapshots.of(query.asOf, signal)))
    try {
      return await answerAt(sqlRequest, at, request, reply)
    } catch (error) {
      for (const name of ['etag', 'cache-control', 'ledgerlake-snapshot']) reply.removeHeader(name)
      // If a vacuum removed files of this snapshot, the newest one answers.
      const newer = await unlessGone(snapshots.insteadOf(at, query.asOf, error), signal)
      return await answerAt(sqlRequest, newer, request, reply)
    }
  }

  const route = gate.route(sqlFeatures)
  server.get(prefix + sqlPath, route, answer)
  server.post(prefix + sqlPath, { ...route, bodyLimit: MOST_SQL_BODY_BYTES }, answer)
}

const formatOf = (type: string) => sqlFormats.find((format) => format.type === type) ?? 'json'

function tagOfSql(
  { statement, values, rows = MOST_SQL_ROWS, integersAsText }: SqlQuery,
  format: ExportFormat | undefined,
  at: Snapshot,
): string {
  return tagOf(JSON.stringify([version, at.id, statement, values, rows, integersAsText, format?.name]))
}
