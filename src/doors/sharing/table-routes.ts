import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../base/errors.ts'
import { tableFolder } from '../../lake/disk/layout.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { Work } from '../gate/costs.ts'
import { readingLog, workOfShared } from '../gate/work-of.ts'
import { baseUrlOf } from '../http/public-address.ts'
import { signalFor } from '../http/request-signal.ts'
import { type Asked, askedVersion, isPinned, versionFrom } from './asked-version.ts'
import { chosenFiles } from './chosen-files.ts'
import { readTableQuery } from './query-body.ts'
import { responseFormatFor } from './response-format.ts'
import { sendLines, sendVersion, tellFileIds } from './send-lines.ts'
import { requireShare, sharedTable } from './shared-tables.ts'
import { type Enter, type Names, SHARING_PATH, type SharingContext } from './sharing-options.ts'
import { writeSignedAddress } from './signed-address.ts'
import { fileLines, headLines } from './table-lines.ts'

const TABLE = '/shares/:share/schemas/:schema/tables/:table'

/** What is asked of one table: its version, its metadata, and its files. */
export function addTableRoutes(server: FastifyInstance, context: SharingContext, enter: Enter): void {
  const { snapshots, gate, requestTimeoutMs } = context
  const allowed = gate.route()

  function tableOf(request: FastifyRequest, reply: FastifyReply): TableSnapshot {
    const { share, schema, table = '' } = enter(request, reply)
    requireShare(share, schema)
    return sharedTable(snapshots.current(), table)
  }

  /** Does work when it is the turn of the request. */
  function inTurn<T>(reply: FastifyReply, work: Work, job: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = signalFor(reply, requestTimeoutMs)
    return gate.inTurn(reply, work, signal, () => job(signal))
  }

  async function versionOf(newest: TableSnapshot, asked: Asked, reply: FastifyReply): Promise<TableSnapshot> {
    if (!isPinned(asked)) return newest
    return await inTurn(reply, readingLog, (signal) => askedVersion(newest, asked, snapshots, signal))
  }

  server.get(`${TABLE}/version`, allowed, async (request, reply) => {
    const newest = tableOf(request, reply)
    const { startingTimestamp = '' } = request.query as Names
    if (startingTimestamp === '') return sendVersion(reply, newest.version)
    const find = (signal: AbortSignal) => versionFrom(newest, startingTimestamp, snapshots, signal)
    return sendVersion(reply, await inTurn(reply, readingLog, find))
  })

  // How older clients ask for the version.
  server.head(TABLE, allowed, async (request, reply) => sendVersion(reply, tableOf(request, reply).version))

  server.get(`${TABLE}/metadata`, allowed, async (request, reply) => {
    const { version, timestamp } = request.query as Names
    const asked = { version, timestamp }
    const at = await versionOf(tableOf(request, reply), asked, reply)
    return sendLines(request, reply, at, headLines(at, linesFor(request, asked)))
  })

  server.post(`${TABLE}/query`, allowed, async (request, reply) => {
    const newest = tableOf(request, reply)
    const asked = readTableQuery(request.body)
    tellFileIds(request, reply)
    const at = await versionOf(newest, asked, reply)
    const options = linesFor(request, asked)
    const lines = await inTurn(reply, workOfShared(at.files.length), async () => {
      const addresses = addressesFor(request, at, context)
      const files = fileLines(at, chosenFiles(at, asked), { ...options, ...addresses })
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

const linesFor = (request: FastifyRequest, asked: Asked) => ({
  format: responseFormatFor(request),
  isPinned: isPinned(asked),
})

/** The addresses at which a caller may fetch the files of a table for a while. */
function addressesFor(
  request: FastifyRequest,
  { resource, files }: TableSnapshot,
  { lake, secret, linkMs, outside }: SharingContext,
) {
  const before = `${baseUrlOf(outside, request)}${SHARING_PATH}/files/`
  const own = { table: resource.name, recipient: request.apiKey?.id ?? '', expires: Date.now() + linkMs }
  const folder = tableFolder(lake, resource)
  const byPlace = new Map(files.map((file) => [file.path, file]))
  return {
    expires: own.expires,
    addressOf(path: string): string | undefined {
      const file = byPlace.get(join(folder, path))
      if (file === undefined) return undefined
      const { sha256, bytes } = file
      return before + writeSignedAddress({ ...own, path, sha256, bytes }, secret)
    },
  }
}
