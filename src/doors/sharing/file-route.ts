import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { fail, ServiceError } from '../../base/errors.ts'
import { exportFormats } from '../../catalog/export-formats.ts'
import { resourceNamed } from '../../catalog/resources.ts'
import { factsPath, isDataFilePath, isFactsPath, tableFolder } from '../../lake/disk/layout.ts'
import { namedFactsIn } from '../../lake/facts/file-tags.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { openFileBody, refuseRange } from '../files/file-body.ts'
import { pathParameter, queryOf } from '../http/request-parameters.ts'
import { signalFor } from '../http/request-signal.ts'
import { evaluateConditions } from '../reply/entity-tag.ts'
import { requireValidRecipient } from './recipient.ts'
import type { SharingContext } from './sharing-options.ts'
import { readSignedAddress, type SharedFile } from './signed-address.ts'

const PARQUET = exportFormats.find(({ name }) => name === 'parquet')?.type ?? ''

/** Serves data and facts files by signed addresses, whole or as byte ranges, with checksums verified. */
export function addFileRoute(server: FastifyInstance, context: SharingContext): void {
  const { gate, secret, lake, snapshots, checkedFiles, exports } = context

  server.get('/files/:table/*', gate.route([], { isFree: () => true }), async (request, reply) => {
    const [table, path] = [pathParameter(request, 'table'), pathParameter(request, '*')]
    const file = readSignedAddress({ table, path }, queryOf(request), secret, Date.now())
    requireValidRecipient(file.recipient, context)
    const resource = resourceNamed(file.table)
    // Defence in depth: a signed path already names a file of the log.
    if (resource === undefined || !(isDataFilePath(file.path) || isFactsPath(file.path)))
      fail('not_found', 'There is no such file.')
    const etag = evaluateConditions(request, file.sha256)
    if (etag !== undefined) return reply.code(304).header('etag', etag).send()
    gate.enter(reply)
    const signal = signalFor(reply, exports.timeoutMs)
    const diskPath = join(tableFolder(lake, resource), file.path)
    const transfer = { request, reply, signal, stallMs: exports.stallMs }
    const body = await openFileBody(checkedFiles, { ...file, path: diskPath }, file.sha256, transfer).catch(
      (error) => {
        const mayBeMissing = !isLive(snapshots.current()?.table(resource), file)
        const isDamage = error instanceof ServiceError && error.code === 'lake_damaged'
        if (isDamage && mayBeMissing && /it is missing/.test(error.message)) refuseVacuumed(file)
        throw error
      },
    )
    if (body === undefined) return refuseRange(request, file.bytes)
    const seconds = Math.max(0, Math.floor((file.expires - Date.now()) / 1000))
    reply.headers({ 'Cache-Control': `private, max-age=${seconds}`, ETag: `"${file.sha256}"` })
    return reply.type(isFactsPath(file.path) ? 'application/gzip' : PARQUET).send(body)
  })
}

function isLive(table: TableSnapshot | undefined, { path }: SharedFile): boolean {
  const live = table?.logged?.live
  if (live === undefined || !isFactsPath(path)) return live?.has(path) === true
  return [...live.values()].some(({ tags }) => factsPath('', namedFactsIn(tags)?.digest ?? '') === path)
}

function refuseVacuumed({ path, table }: SharedFile): never {
  return fail('gone', `${path} of ${table} was vacuumed. Query the table again.`)
}
