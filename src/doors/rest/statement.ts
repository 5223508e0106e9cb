import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inPieces } from '../../answers/export/in-pieces.ts'
import { csvLines } from '../../answers/statement/csv.ts'
import { csvName, csvNames, type StatementPart } from '../../answers/statement/csv-files.ts'
import { tokenNames } from '../../answers/statement/reward-rows.ts'
import { statementOf } from '../../answers/statement/statement.ts'
import { fail } from '../../base/errors.ts'
import type { RawQuery } from '../../base/parameter-text.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { DAY_MS } from '../../base/values/epoch-day.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { iotRewardShares } from '../../catalog/l2/iot-reward-shares.ts'
import { type Days, firstDayFrom, instantsOf } from '../../catalog/query/days.ts'
import { spellWallet } from '../../catalog/records/wallet.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import {
  type StatementQuery,
  statementNeeds,
  statementPath,
  statementQuery,
} from '../contract/statement-query.ts'
import { endWith, taken } from '../files/taken.ts'
import { withinLookBack } from '../gate/look-back.ts'
import { readingLog, workOfStatement } from '../gate/work-of.ts'
import { signalFor } from '../http/request-signal.ts'
import { json, send } from '../reply/representation.ts'
import type { RestContext } from './context.ts'

interface Asked extends StatementQuery {
  readonly at: Snapshot
  /** The days that the key may look back on. */
  readonly served: Days
  readonly parts: AsyncGenerator<StatementPart, JsonObject>
  readonly signal: AbortSignal
}

/** GET `<prefix>/statement`, the summary of an owner's statement, and its CSV files below that. */
export function addStatementRoutes(server: FastifyInstance, prefix: string, context: RestContext): void {
  const { repository, snapshots, gate, exports, dialect, basePath } = context
  const path = prefix + statementPath
  const allowed = gate.route(statementNeeds)

  async function ask(request: FastifyRequest, reply: FastifyReply, token?: string): Promise<Asked> {
    const query = statementQuery(request.query as RawQuery, true, dialect.queries.refusesUnknown)
    const served = withinKey(query, request, reply)
    gate.enterExports(reply)
    const signal = signalFor(reply, exports.timeoutMs)
    const at =
      snapshots.known(query.asOf) ??
      (await gate.inTurn(reply, readingLog, signal, () => snapshots.of(query.asOf, signal)))
    reply.header('Ledgerlake-Snapshot', at.id)
    const { tz, owner = '' } = query
    const wanted = { holder: { owner }, days: served, tz, ...(token !== undefined && { token }) }
    const parts = statementOf(repository, wanted, at, signal)
    return { ...query, at, served, parts, signal }
  }

  server.get(path, allowed, async (request, reply) => {
    const asked = await ask(request, reply)
    const { parts, days, served, signal } = asked
    endWith(signal, parts)
    const work = workOfStatement('summary', daysIn(served))
    const whole = await gate.inTurn(reply, work, signal, async () => {
      let part = await unlessGone(parts.next(), signal)
      while (part.done !== true) part = await unlessGone(parts.next(), signal)
      return part.value
    })
    const { files, ...summary } = whole
    const links = (files as readonly JsonObject[]).map((file) => ({
      ...file,
      href: `${basePath}${path}/${file.name}?${fileQuery(asked)}`,
    }))
    const from_served = served.first === days.first ? null : served.first
    return send(reply, json({ from_served, ...summary, files: links }))
  })

  server.get(`${path}/:id`, allowed, async (request, reply) => {
    const { id } = request.params as { readonly id: string }
    if (!csvNames.includes(id)) fail('not_found', `File not found; use ${csvNames.join(', ')}.`)
    const token = tokenNames.find((token) => csvName(token) === id)
    const { parts, served, signal } = await ask(request, reply, token)
    const pieces = inPieces(ofFile(parts, id))
    endWith(signal, pieces)
    const work = workOfStatement('file', daysIn(served))
    const first = await gate.inTurn(reply, work, signal, () => unlessGone(pieces.next(), signal))
    reply.header('Content-Disposition', `attachment; filename="${id}"`)
    const body = Readable.from(taken(first, pieces, { request, reply, signal, stallMs: exports.stallMs }), {
      objectMode: false,
    })
    return send(reply, { type: 'text/csv; charset=utf-8; header=present', body })
  })
}

function daysIn({ first, last }: Days): number {
  return (Date.parse(last) - Date.parse(first)) / DAY_MS + 1
}

/** The bytes of one file; the header alone when nothing was paid in its token. */
async function* ofFile(parts: AsyncGenerator<StatementPart, JsonObject>, name: string) {
  let isEmpty = true
  for await (const { token, bytes } of parts) {
    if (csvName(token) !== name) continue
    isEmpty = false
    yield bytes
  }
  if (isEmpty) yield await csvLines([], true)
}

function withinKey({ days, tz }: StatementQuery, request: FastifyRequest, reply: FastifyReply): Days {
  const { from: asked } = instantsOf(days, tz)
  const { from } = withinLookBack(iotRewardShares, { from: asked }, request, reply)
  if (typeof from !== 'bigint' || from === asked) return days
  const first = firstDayFrom(from, tz)
  if (first > days.last)
    fail('malformed_request', `The key may look back to ${first}, and to is ${days.last}; write a later day.`)
  return { first, last: days.last }
}

/** The spelling of the owner is that of the summary, whichever was asked for. */
function fileQuery({ owner: given = '', served, tz, at }: Asked): string {
  const owner = spellWallet('l2', given)
  return String(new URLSearchParams({ owner, from: served.first, to: served.last, tz, as_of: at.id }))
}
