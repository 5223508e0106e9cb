import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../base/errors.ts'
import { tableFolder } from '../../lake/disk/layout.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { RequestWork } from '../gate/costs.ts'
import { readingLog, workOfShared } from '../gate/work-of.ts'
import { baseUrlOf } from '../http/public-address.ts'
import { queryOf } from '../http/request-parameters.ts'
import { signalFor } from '../http/request-signal.ts'
import { selectFiles } from './may-match.ts'
import { readTableQuery } from './query-body.ts'
import { isVersionPinned, type RequestedVersion, resolveVersion, versionFrom } from './resolve-version.ts'
import { responseFormatFor, sendFileIdScheme, sendLines, sendVersion } from './send-lines.ts'
import { requireShare, sharedTable } from './shared-tables.ts'
import { type Enter, SHARING_PATH, type SharingContext } from './sharing-options.ts'
import { writeSignedAddress } from './signed-address.ts'
import { fileLines, headLines } from './table-lines.ts'

const TABLE = '/shares/:share/schemas/:schema/tables/:table'

/** Routes of one table: version, metadata and files. */
export function addTableRoutes(server: FastifyInstance, context: SharingContext, enter: Enter): void {
  const { snapshots, gate, requestTimeoutMs } = context
  const allowed = gate.route()

  function tableOf(request: FastifyRequest, reply: FastifyReply): TableSnapshot {
    const { share, schema, table = '' } = enter(request, reply)
    requireShare(share, schema)
    return sharedTable(snapshots.current(), table)
  }

  function inTurn<T>(
    reply: FastifyReply,
    work: RequestWork,
    job: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const signal = signalFor(reply, requestTimeoutMs)
    return gate.inTurn(reply, work, signal, () => job(signal))
  }

  async function versionOf(
    newest: TableSnapshot,
    requested: RequestedVersion,
    reply: FastifyReply,
  ): Promise<TableSnapshot> {
    if (!isVersionPinned(requested)) return newest
    return await inTurn(reply, readingLog, (signal) => resolveVersion(newest, requested, snapshots, signal))
  }

  server.get(`${TABLE}/version`, allowed, async (request, reply) => {
    const newest = tableOf(request, reply)
    const { startingTimestamp = '' } = queryOf(request)
    if (startingTimestamp === '') return sendVersion(reply, newest.version)
    const find = (signal: AbortSignal) => versionFrom(newest, startingTimestamp, snapshots, signal)
    return sendVersion(reply, await inTurn(reply, readingLog, find))
  })

  // Older clients read the version by HEAD.
  server.head(TABLE, allowed, async (request, reply) => sendVersion(reply, tableOf(request, reply).version))

  server.get(`${TABLE}/metadata`, allowed, async (request, reply) => {
    const { version, timestamp } = queryOf(request)
    const requested = { version, timestamp }
    const at = await versionOf(tableOf(request, reply), requested, reply)
    return sendLines(request, reply, at, headLines(at, linesFor(request, requested)))
  })

  server.post(`${TABLE}/query`, allowed, async (request, reply) => {
    const newest = tableOf(request, reply)
    const requested = readTableQuery(request.body)
    sendFileIdScheme(request, reply)
    const at = await versionOf(newest, requested, reply)
    const options = linesFor(request, requested)
    const lines = await inTurn(reply, workOfShared(at.files.length), async () => {
      const addresses = addressesFor(request, at, context)
      const files = fileLines(at, selectFiles(at, requested), { ...options, ...addresses })
      return [...headLines(at, options), ...files]
    })
    return sendLines(request, reply, at, lines)
  })

  server.get(`${TABLE}/changes`, allowed, async (request, reply) => {
    const { name } = tableOf(request, reply).resource
    const sentence = `Changes of ${name} are not offered; query the table, with version or timestamp for an older one.`
    return fail('malformed_request', sentence)
  })
}

const linesFor = (request: FastifyRequest, tableQuery: RequestedVersion) => ({
  format: responseFormatFor(request),
  isPinned: isVersionPinned(tableQuery),
})

/** Returns temporary signed addresses of the files of a table. */
function addressesFor(
  request: FastifyRequest,
  { resource, files }: TableSnapshot,
  { lake, secret, linkMs, outside }: SharingContext,
) {
  const before = `${baseUrlOf(outside, request)}${SHARING_PATH}/files/`
  const grant = { table: resource.name, recipient: request.apiKey?.id ?? '', expires: Date.now() + linkMs }
  const folder = tableFolder(lake, resource)
  const filesByPath = new Map(files.map((file) => [file.path, file]))
  return {
    expires: grant.expires,
    addressOf(path: string): string | undefined {
      const file = filesByPath.get(join(folder, path))
      if (file === undefined) return undefined
      const { sha256, bytes } = file
      return before + writeSignedAddress({ ...grant, path, sha256, bytes }, secret)
    },
  }
}
