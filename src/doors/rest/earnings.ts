import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { earningsOf } from '../../answers/earnings/earnings.ts'
import { earningsFile } from '../../answers/earnings/earnings-file.ts'
import { inPieces } from '../../answers/export/in-pieces.ts'
import { version } from '../../base/version.ts'
import { MOST_BODY_BYTES } from '../../catalog/query/series-parameters.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { type EarningsQuery, earningsNeeds, earningsPath, earningsQuery } from '../contract/earnings-query.ts'
import { openBody } from '../files/download.ts'
import { reachOf, reachTextOf, withinLookBack } from '../gate/look-back.ts'
import { readingLog, workOfStatement } from '../gate/work-of.ts'
import { queryOf } from '../http/request-parameters.ts'
import { signalFor } from '../http/request-signal.ts'
import { pinnedCacheControl } from '../reply/cache-control.ts'
import { isNotModified, tagOf } from '../reply/entity-tag.ts'
import { jsonBody, send } from '../reply/representation.ts'
import { isComplete, UNKNOWN_HEADER, unknownHeader } from '../reply/unknown.ts'
import type { RestContext } from './context.ts'
import { missingText } from './coverage.ts'
import { daysWithinKey } from './query/days-within-key.ts'
import { keysOfBody } from './query/hotspot-keys.ts'

/** Adds `<prefix>/earnings`: a file with what hotspots earned on each day; POST takes their keys in its body. */
export function addEarningsRoute(server: FastifyInstance, prefix: string, context: RestContext): void {
  const { repository, snapshots, gate, exports, dialect } = context

  server.get(prefix + earningsPath, gate.route(earningsNeeds), sendEarnings)
  server.post(
    prefix + earningsPath,
    { ...gate.route(earningsNeeds), bodyLimit: MOST_BODY_BYTES },
    sendEarnings,
  )

  async function sendEarnings(request: FastifyRequest, reply: FastifyReply) {
    const { refusesUnknown } = dialect.queries
    const query = earningsQuery(queryOf(request), refusesUnknown, (keys) => keysOfBody(request, keys))
    const { days } = daysWithinKey(query, 'last_day', (resource, filters) =>
      withinLookBack(resource, filters, request, reply),
    )
    gate.enterExports(reply)
    const signal = signalFor(reply, exports.timeoutMs)
    const at =
      snapshots.known(query.asOf) ??
      (await gate.inTurn(reply, readingLog, signal, () => snapshots.of(query.asOf, signal)))
    const tag = request.method === 'POST' ? undefined : tagOfEarnings({ ...query, days }, at, request)
    reply.headers({
      'Ledgerlake-Snapshot': at.id,
      'Cache-Control': pinnedCacheControl(query.asOf, request.apiKey !== null),
    })
    if (tag !== undefined && isNotModified(request, tag)) return send(reply, { ...jsonBody(null), tag })

    const { owner, texts, tz, format, locale } = query
    const wanted = { holder: { owner, texts }, days, tz, reach: reachOf(request), locale }
    const work = workOfStatement('file', days)
    const earnings = await gate.inTurn(reply, work, signal, () => earningsOf(repository, wanted, at, signal))
    const { name, rows, bytes } = earningsFile(earnings, wanted, format, signal)
    setHeaders(reply, {
      'Content-Disposition': `attachment; filename="${name}"`,
      'Ledgerlake-Missing': missingText(earnings.missing),
      [UNKNOWN_HEADER]: unknownHeader(earnings.unknown),
    })
    const body = await openBody(inPieces(bytes()), { request, reply, signal, stallMs: exports.stallMs })
    const isTagged = tag !== undefined && isComplete(earnings.unknown)
    return send(reply, { type: format.type, body, rows, ...(isTagged && { tag }) })
  }
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
