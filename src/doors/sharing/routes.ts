import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { queryOf } from '../http/request-parameters.ts'
import { addCopyRoutes } from './copy-routes.ts'
import { addFileRoute } from './file-route.ts'
import { readJson } from './query-body.ts'
import { requireRecipient } from './recipient.ts'
import { sendObject } from './send-lines.ts'
import { requireShare, SCHEMA, SHARE, sharedTables } from './shared-tables.ts'
import { sendSharingError } from './sharing-errors.ts'
import { type Enter, SHARING_PATH, type SharedNames, type SharingContext } from './sharing-options.ts'
import { addTableRoutes } from './table-routes.ts'

type Query = Readonly<Record<string, unknown>>

/** Returns one page of a list and the token of the next. Errors: `malformed_request`. */
function listPage(items: readonly JsonObject[], { maxResults, pageToken }: Query): JsonObject {
  const first = readPageToken(pageToken, items.length)
  const most = readMaxResults(maxResults)
  const end = Math.min(items.length, first + most)
  const page = items.slice(first, end)
  return end < items.length ? { items: page, nextPageToken: tokenOf(end) } : { items: page }
}

/** The token is an offset: lists never shrink. */
const tokenOf = (offset: number) => Buffer.from(`from ${offset}`).toString('base64url')

function readPageToken(token: unknown, length: number): number {
  if (token === undefined || token === '') return 0
  const text = typeof token === 'string' ? Buffer.from(token, 'base64url').toString() : ''
  const offset = Number(/^from (\d{1,9})$/.exec(text)?.[1] ?? Number.NaN)
  if (offset <= length) return offset
  return fail(
    'malformed_request',
    `pageToken is ${quoted(String(token))}; use the nextPageToken of an earlier reply.`,
  )
}

function readMaxResults(value: unknown): number {
  if (value === undefined || value === '') return Number.MAX_SAFE_INTEGER
  if (typeof value === 'string' && /^\d{1,10}$/.test(value) && Number(value) < 2 ** 31) return Number(value)
  return fail('malformed_request', `maxResults is ${quoted(String(value))}; use a whole number from 0.`)
}

/** The Delta Sharing protocol. Source: github.com/delta-io/delta-sharing, PROTOCOL.md. */
export function addSharing(server: FastifyInstance, context: SharingContext): void {
  server.register(
    async (door) => {
      const refuse = (request: FastifyRequest, reply: FastifyReply) =>
        context.answerUnknown(request, reply, (error) => sendSharingError(error, request, reply))
      door.setErrorHandler((error: FastifyError, request, reply) =>
        request.is404 ? refuse(request, reply) : sendSharingError(error, request, reply),
      )
      door.setNotFoundHandler(refuse)
      // Clients may omit the media type.
      door.removeAllContentTypeParsers()
      door.addContentTypeParser('*', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
        readJson(body),
      )
      const enter: Enter = (request, reply) => {
        requireRecipient(request, context)
        context.gate.enter(reply)
        return request.params as SharedNames
      }
      addLists(door, context, enter)
      addTableRoutes(door, context, enter)
      addCopyRoutes(door, context, enter)
      addFileRoute(door, context)
    },
    { prefix: SHARING_PATH },
  )
}

function addLists(server: FastifyInstance, { snapshots, gate }: SharingContext, enter: Enter): void {
  const allowed = gate.route()

  server.get('/shares', allowed, async (request, reply) => {
    enter(request, reply)
    return sendObject(reply, listPage([{ name: SHARE }], queryOf(request)))
  })

  server.get('/shares/:share', allowed, async (request, reply) => {
    requireShare(enter(request, reply).share)
    return sendObject(reply, { share: { name: SHARE } })
  })

  server.get('/shares/:share/schemas', allowed, async (request, reply) => {
    requireShare(enter(request, reply).share)
    return sendObject(reply, listPage([{ name: SCHEMA, share: SHARE }], queryOf(request)))
  })

  for (const path of ['/shares/:share/schemas/:schema/tables', '/shares/:share/all-tables'])
    server.get(path, allowed, async (request, reply) => {
      const { share, schema = SCHEMA } = enter(request, reply)
      requireShare(share, schema)
      const items = sharedTables(snapshots.current()).map(({ resource, logged }) => ({
        ...{ name: resource.name, schema: SCHEMA, share: SHARE },
        ...(logged !== undefined && { id: logged.metaData.id }),
      }))
      return sendObject(reply, listPage(items, queryOf(request)))
    })
}
