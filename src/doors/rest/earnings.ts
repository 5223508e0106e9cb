import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { earningsOf } from '../../answers/earnings/earnings.ts'
import { earningsFile } from '../../answers/earnings/earnings-file.ts'
import { inPieces } from '../../answers/export/in-pieces.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { version } from '../../base/version.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { type EarningsQuery, earningsNeeds, earningsPath, earningsQuery } from '../contract/earnings-query.ts'
import { closeOnAbort, sendPieces } from '../files/download.ts'
import { reachOf, reachTextOf } from '../gate/look-back.ts'
import { readingLog, workOfStatement } from '../gate/work-of.ts'
import { queryOf } from '../http/request-parameters.ts'
import { signalFor } from '../http/request-signal.ts'
import { pinnedCacheControl } from '../reply/cache-control.ts'
import { isNotModified, tagOf } from '../reply/entity-tag.ts'
import { jsonBody, send } from '../reply/representation.ts'
import { isComplete, UNKNOWN_HEADER, unknownHeader } from '../reply/unknown.ts'
import type { RestContext } from './context.ts'
import { missingText } from './coverage.ts'
import { daysWithinKey } from './days-within-key.ts'

/** Adds GET `<prefix>/earnings`: a file with what hotspots earned on each day. */
export function addEarningsRoute(server: FastifyInstance, prefix: string, context: RestContext): void {
  const { repository, snapshots, gate, exports, dialect } = context

  server.get(prefix + earningsPath, gate.route(earningsNeeds), async (request, reply) => {
    const query = earningsQuery(queryOf(request), dialect.queries.refusesUnknown)
    const days = daysWithinKey(query, 'last_day', request, reply)
    gate.enterExports(reply)
    const signal = signalFor(reply, exports.timeoutMs)
    const at =
      snapshots.known(query.asOf) ??
      (await gate.inTurn(reply, readingLog, signal, () => snapshots.of(query.asOf, signal)))
    const tag = tagOfEarnings({ ...query, days }, at, request)
    reply.headers({
      'Ledgerlake-Snapshot': at.id,
      'Cache-Control': pinnedCacheControl(query.asOf, request.apiKey !== null),
    })
    if (isNotModified(request, tag)) return send(reply, { ...jsonBody(null), tag })

    const { owner, texts, tz, format, locale } = query
    const wanted = { holder: { owner, texts }, days, tz, reach: reachOf(request), locale }
    const work = workOfStatement('file', (Date.parse(days.last) - Date.parse(days.first)) / 86_400_000 + 1)
    const earnings = await gate.inTurn(reply, work, signal, () => earningsOf(repository, wanted, at, signal))
    const { name, rows, bytes } = earningsFile(earnings, wanted, format, signal)
    setHeaders(reply, {
      'Content-Disposition': `attachment; filename="${name}"`,
      'Ledgerlake-Missing': missingText(earnings.missing),
      [UNKNOWN_HEADER]: unknownHeader(earnings.unknown),
    })
    const pieces = inPieces(bytes())
    closeOnAbort(signal, pieces)
    const download = { request, reply, signal, stallMs: exports.stallMs }
    const first = await unlessGone(pieces.next(), signal)
    const body = Readable.from(request.method === 'HEAD' ? [] : sendPieces(first, pieces, download), {
      objectMode: false,
    })
    return send(reply, { type: format.type, body, rows, ...(isComplete(earnings.unknown) && { tag }) })
  })
}

/** Two requests with equal tags have equal bytes: the snapshot names the versions of all tables. */
function tagOfEarnings(query: EarningsQuery, at: Snapshot, { apiKey }: FastifyRequest): string {
  return tagOf(
    [
      version,
      'earnings',
      at.id,
      reachTextOf(apiKey),
      JSON.stringify({ ...query, format: query.format.type }),
    ].join('\0'),
  )
}

function setHeaders(reply: FastifyReply, headers: Readonly<Record<string, string | undefined>>): void {
  for (const [name, text] of Object.entries(headers)) if (text !== undefined) reply.header(name, text)
}
