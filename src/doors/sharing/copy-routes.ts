import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { sendingEntries } from '../gate/work-of.ts'
import { signalFor } from '../http/request-signal.ts'
import { jsonBody, send } from '../reply/representation.ts'
import { type EntryRange, entryLines } from './entry-lines.ts'
import { NDJSON } from './send-lines.ts'
import { requireShare } from './shared-tables.ts'
import type { Enter, RequestStrings, SharingContext } from './sharing-options.ts'

/**
 * Routes for another ledgerlake that copies this lake: versions of all tables, and log entries with signed
 * file addresses. An extension of the protocol. `rejects` is included, since it is part of the lake.
 */
export function addCopyRoutes(server: FastifyInstance, context: SharingContext, enter: Enter): void {
  const { snapshots, gate, requestTimeoutMs } = context
  const allowed = gate.route()

  server.get('/shares/:share/snapshot', allowed, async (request, reply) => {
    requireShare(enter(request, reply).share)
    const at = snapshots.current()
    const versions = (at?.tables ?? []).map(({ resource, version }) => [resource.name, version] as const)
    return send(reply, jsonBody({ snapshot: at?.id ?? '', tables: Object.fromEntries(versions) }))
  })

  server.get('/shares/:share/log/:table', allowed, async (request, reply) => {
    const { share, table = '' } = enter(request, reply)
    requireShare(share)
    const resource = tableOfLake(snapshots.current(), table)
    const range = rangeIn(request)
    const signal = signalFor(reply, requestTimeoutMs)
    const lines = await gate.inTurn(reply, sendingEntries, signal, () =>
      entryLines(resource, range, { ...context, recipient: request.apiKey?.id ?? '' }, signal),
    )
    return reply.type(NDJSON).send(lines.join(''))
  })
}

function tableOfLake(at: Snapshot | undefined, name: string): Resource {
  const tables = at?.tables ?? []
  const table = tables.find(({ resource }) => resource.name === name)
  if (table !== undefined) return table.resource
  const names = tables.map(({ resource }) => resource.name).sort()
  const hint = names.length === 0 ? 'nothing has been ingested yet' : `there are ${names.join(', ')}`
  return fail('not_found', `There is no table ${quoted(name)}; ${hint}.`)
}

/** Errors: `malformed_request`. */
function rangeIn({ query }: FastifyRequest): EntryRange {
  const { after = '-1', to = '' } = query as RequestStrings
  if (!/^(-1|\d{1,15})$/.test(after))
    return fail('malformed_request', `after is ${quoted(after)}; use a version, or -1 for the first entry.`)
  if (/^\d{1,15}$/.test(to) && Number(to) > Number(after)) return { after: Number(after), to: Number(to) }
  return fail('malformed_request', `to is ${quoted(to)}; use a version above ${after}.`)
}
