import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import type { Resource } from '../../catalog/resource.ts'
import { logEntryPath, tableFolder } from '../../lake/disk/layout.ts'
import type { Action } from '../../lake/log/log-actions.ts'
import { readEntry } from '../../lake/log/log-entry.ts'
import { readEntryActions } from '../../lake/log/read-actions.ts'
import { filesAddedBy } from '../../lake/snapshot/added-files.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { sendingEntries } from '../gate/work-of.ts'
import { queryOf } from '../http/request-parameters.ts'
import { signalFor } from '../http/request-signal.ts'
import { jsonBody, send } from '../reply/representation.ts'
import { NDJSON } from './send-lines.ts'
import { requireShare } from './shared-tables.ts'
import type { Enter, SharingContext } from './sharing-options.ts'
import { writeSignedAddress } from './signed-address.ts'

/** Versions above `after` up to `to`, included. */
interface EntryRange {
  readonly after: number
  readonly to: number
}

/** Parts of file addresses. */
interface Addressing extends Pick<SharingContext, 'lake' | 'secret' | 'linkMs'> {
  readonly recipient: string
}

/** A reply ends once it reaches either limit; the client requests the rest. */
const MOST_CHARACTERS = 4_000_000
const MOST_ENTRIES = 1000

/**
 * Returns log entries as lines `{"version", "text", "files"}`. `text` is the entry byte for byte; `files`
 * has the signed address of each added file, by its path. Errors: `not_found` without such a version,
 * `lake_damaged`.
 */
async function entryLines(
  resource: Resource,
  { after, to }: EntryRange,
  addressing: Addressing,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const folder = tableFolder(addressing.lake, resource)
  const lines: string[] = []
  let characters = 0
  for (let version = after + 1; version <= to; version += 1) {
    if (characters >= MOST_CHARACTERS || lines.length === MOST_ENTRIES) break
    signal.throwIfAborted()
    const text = await readEntry(folder, version)
    if (text === undefined) break
    const files = addressesOf(resource, readEntryActions(text, logEntryPath(folder, version)), addressing)
    const line = `${JSON.stringify({ version, text, files })}\n`
    lines.push(line)
    characters += line.length
  }
  if (lines.length > 0) return lines
  return fail('not_found', `There is no version ${after + 1} of ${resource.name}.`)
}

function addressesOf(
  { name: table }: Resource,
  actions: readonly Action[],
  { secret, linkMs, recipient }: Addressing,
): Readonly<Record<string, string>> {
  const common = { table, recipient, expires: Date.now() + linkMs }
  const files = actions.flatMap((action) => {
    const { data, facts } = 'add' in action ? filesAddedBy(action.add) : {}
    return [data, facts].filter((file) => file !== undefined)
  })
  return Object.fromEntries(
    files.map((file) => [file.path, writeSignedAddress({ ...common, ...file }, secret)]),
  )
}

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
function rangeIn(request: FastifyRequest): EntryRange {
  const { after = '-1', to = '' } = queryOf(request)
  if (!/^(-1|\d{1,15})$/.test(String(after)))
    return fail(
      'malformed_request',
      `after is ${quoted(String(after))}; use a version, or -1 for the first entry.`,
    )
  if (/^\d{1,15}$/.test(String(to)) && Number(to) > Number(after))
    return { after: Number(after), to: Number(to) }
  return fail('malformed_request', `to is ${quoted(String(to))}; use a version above ${after}.`)
}
