import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inPieces } from '../../answers/export/in-pieces.ts'
import { csvName, csvNames, headerOf, type StatementPart } from '../../answers/statement/csv-files.ts'
import { tokenNames } from '../../answers/statement/share-tables.ts'
import { statementOf } from '../../answers/statement/statement.ts'
import { fail } from '../../base/errors.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { DAY_MS } from '../../base/values/epoch-day.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import type { Days } from '../../catalog/query/days.ts'
import { spellWallet } from '../../catalog/records/wallet.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import {
  type StatementQuery,
  statementNeeds,
  statementPath,
  statementQuery,
} from '../contract/statement-query.ts'
import { closeOnAbort, sendPieces } from '../files/download.ts'
import { readingLog, workOfStatement } from '../gate/work-of.ts'
import { pathParameter, queryOf } from '../http/request-parameters.ts'
import { signalFor } from '../http/request-signal.ts'
import { jsonBody, send } from '../reply/representation.ts'
import type { RestContext } from './context.ts'
import { daysWithinKey } from './days-within-key.ts'

interface StatementRequest extends StatementQuery {
  readonly at: Snapshot
  /** Days within the key's look-back. */
  readonly served: Days
  readonly parts: AsyncGenerator<StatementPart, JsonObject>
  readonly signal: AbortSignal
}

/** Adds GET `<prefix>/statement`, the summary of an owner's statement, and the paths of its CSV files. */
export function addStatementRoutes(server: FastifyInstance, prefix: string, context: RestContext): void {
  const { repository, snapshots, gate, exports, dialect, basePath } = context
  const path = prefix + statementPath
  const allowed = gate.route(statementNeeds)

  async function open(
    request: FastifyRequest,
    reply: FastifyReply,
    token?: string,
  ): Promise<StatementRequest> {
    const query = statementQuery(queryOf(request), true, dialect.queries.refusesUnknown)
    const served = daysWithinKey(query, 'to', request, reply)
    gate.enterExports(reply)
    const signal = signalFor(reply, exports.timeoutMs)
    const at =
      snapshots.known(query.asOf) ??
      (await gate.inTurn(reply, readingLog, signal, () => snapshots.of(query.asOf, signal)))
    reply.header('Ledgerlake-Snapshot', at.id)
    const { tz, locale, owner = '' } = query
    const statement = { holder: { owners: [owner] }, days: served, tz, token, locale }
    const parts = statementOf(repository, statement, at, signal)
    return { ...query, at, served, parts, signal }
  }

  server.get(path, allowed, async (request, reply) => {
    const statement = await open(request, reply)
    const { parts, days, served, signal } = statement
    closeOnAbort(signal, parts)
    const work = workOfStatement('summary', countDays(served))
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
  })

  server.get(`${path}/:id`, allowed, async (request, reply) => {
    const id = pathParameter(request, 'id')
    if (!csvNames.includes(id)) fail('not_found', `File not found; use ${csvNames.join(', ')}.`)
    const token = tokenNames.find((token) => csvName(token) === id)
    const { parts, served, signal, locale } = await open(request, reply, token)
    const pieces = inPieces(filePieces(parts, id, headerOf({ locale })))
    closeOnAbort(signal, pieces)
    const work = workOfStatement('file', countDays(served))
    const first = await gate.inTurn(reply, work, signal, () => unlessGone(pieces.next(), signal))
    reply.header('Content-Disposition', `attachment; filename="${id}"`)
    const body = Readable.from(
      sendPieces(first, pieces, { request, reply, signal, stallMs: exports.stallMs }),
      {
        objectMode: false,
      },
    )
    return send(reply, { type: 'text/csv; charset=utf-8; header=present', body })
  })
}

function countDays({ first, last }: Days): number {
  return (Date.parse(last) - Date.parse(first)) / DAY_MS + 1
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

/** Spells the owner like the summary does. */
function fileQuery({ owner: spelling = '', served, tz, locale, at }: StatementRequest): string {
  const owner = spellWallet('l2', spelling)
  const marks = locale !== undefined && { format: 'spreadsheet', locale }
  return String(
    new URLSearchParams({ owner, from: served.first, to: served.last, tz, ...marks, as_of: at.id }),
  )
}
