import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inPieces } from '../../answers/export/in-pieces.ts'
import { csvName, csvNames, headerOf, type StatementPart } from '../../answers/statement/csv-files.ts'
import type { OwnPrices } from '../../answers/statement/lines/price-lines.ts'
import { tokenNames } from '../../answers/statement/share-tables.ts'
import { statementOf } from '../../answers/statement/statement.ts'
import { fail } from '../../base/errors.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import type { Days } from '../../catalog/query/days.ts'
import { MOST_BODY_BYTES } from '../../catalog/query/series-parameters.ts'
import { spellWallet } from '../../catalog/records/wallet.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { listsOfBody } from '../contract/body-lists.ts'
import { readStatementLists, statementListNames } from '../contract/statement-body.ts'
import {
  type StatementQuery,
  statementNeeds,
  statementPath,
  statementQuery,
} from '../contract/statement-query.ts'
import { closeOnAbort, openBody } from '../files/download.ts'
import { reachOf, withinLookBack } from '../gate/look-back.ts'
import { readingLog, workOfStatement } from '../gate/work-of.ts'
import { pathParameter, queryOf } from '../http/request-parameters.ts'
import { signalFor } from '../http/request-signal.ts'
import { jsonBody, send } from '../reply/representation.ts'
import type { RestContext } from './context.ts'
import { daysWithinKey } from './query/days-within-key.ts'

interface StatementRequest extends StatementQuery {
  readonly at: Snapshot
  /** Days within the key's look-back. */
  readonly served: Days
  readonly prices: OwnPrices | undefined
  readonly parts: AsyncGenerator<StatementPart, JsonObject>
  readonly signal: AbortSignal
}

/**
 * Adds `<prefix>/statement`, the summary of a statement, and the paths of its CSV files: GET for an owner, POST for lists
 * of owners, hotspots and prices.
 */
export function addStatementRoutes(server: FastifyInstance, prefix: string, context: RestContext): void {
  const { repository, snapshots, gate, exports, dialect, basePath } = context
  const path = prefix + statementPath
  const allowed = gate.route(statementNeeds)

  async function open(
    request: FastifyRequest,
    reply: FastifyReply,
    token?: string,
  ): Promise<StatementRequest> {
    const isPost = request.method === 'POST'
    const query = statementQuery(queryOf(request), !isPost, dialect.queries.refusesUnknown)
    const lists = isPost ? listsOfBody(request.body, statementListNames) : {}
    const { holder, prices } = readStatementLists(lists, query.owner)
    const { days: served } = daysWithinKey(query, 'to', (resource, filters) =>
      withinLookBack(resource, filters, request, reply),
    )
    gate.enterExports(reply)
    const signal = signalFor(reply, exports.timeoutMs)
    const at =
      snapshots.known(query.asOf) ??
      (await gate.inTurn(reply, readingLog, signal, () => snapshots.of(query.asOf, signal)))
    reply.header('Ledgerlake-Snapshot', at.id)
    const { tz, locale } = query
    const statement = { holder, days: served, tz, token, locale, prices, reach: reachOf(request) }
    const parts = statementOf(repository, statement, at, signal)
    return { ...query, at, served, prices, parts, signal }
  }

  async function sendSummary(request: FastifyRequest, reply: FastifyReply) {
    const statement = await open(request, reply)
    const { parts, days, served, signal } = statement
    closeOnAbort(signal, parts)
    const work = workOfStatement('summary', served)
    const whole = await gate.inTurn(reply, work, signal, async () => {
      let part = await unlessGone(parts.next(), signal)
      while (part.done !== true) part = await unlessGone(parts.next(), signal)
      return part.value
    })
    const { files, ...summary } = whole
    const links = (files as readonly JsonObject[]).map((file) => ({
      ...file,
      href: `${basePath}${path}/${file.name}?${fileQuery(statement)}`,
    }))
    const from_served = served.first === days.first ? null : served.first
    return send(reply, jsonBody({ from_served, ...summary, files: links }))
  }

  async function sendFile(request: FastifyRequest, reply: FastifyReply) {
    const id = pathParameter(request, 'id')
    if (!csvNames.includes(id)) fail('not_found', `File not found; use ${csvNames.join(', ')}.`)
    const token = tokenNames.find((token) => csvName(token) === id)
    const { parts, served, signal, ...statement } = await open(request, reply, token)
    const pieces = inPieces(filePieces(parts, id, headerOf(statement)))
    const download = { request, reply, signal, stallMs: exports.stallMs }
    const work = workOfStatement('file', served)
    const body = await gate.inTurn(reply, work, signal, () => openBody(pieces, download))
    reply.header('Content-Disposition', `attachment; filename="${id}"`)
    return send(reply, { type: 'text/csv; charset=utf-8; header=present', body })
  }

  for (const [address, handler] of [
    [path, sendSummary],
    [`${path}/:id`, sendFile],
  ] as const) {
    server.get(address, allowed, handler)
    server.post(address, { ...gate.route(statementNeeds), bodyLimit: MOST_BODY_BYTES }, handler)
  }
}

/** Yields the bytes of one file; only the header if nothing was paid in its token. */
async function* filePieces(parts: StatementRequest['parts'], name: string, header: Buffer) {
  let isEmpty = true
  for await (const { token, bytes } of parts) {
    if (csvName(token) !== name) continue
    isEmpty = false
    yield bytes
  }
  if (isEmpty) yield header
}

/** Spells the owner like the summary does. Lists are sent again with the file. */
function fileQuery({ owner: spelling, served, tz, locale, at }: StatementRequest): string {
  const owner = spelling !== undefined && { owner: spellWallet('l2', spelling) }
  const marks = locale !== undefined && { format: 'spreadsheet', locale }
  return String(
    new URLSearchParams({ ...owner, from: served.first, to: served.last, tz, ...marks, as_of: at.id }),
  )
}
