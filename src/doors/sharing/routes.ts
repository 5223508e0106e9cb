import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addCopyRoutes } from './copy-routes.ts'
import { addFileRoute } from './file-route.ts'
import { listPage } from './listing.ts'
import { readJson } from './query-body.ts'
import { requireRecipient } from './recipient.ts'
import { sendObject } from './send-lines.ts'
import { requireShare, SCHEMA, SHARE, sharedTables } from './shared-tables.ts'
import { sendSharingError } from './sharing-errors.ts'
import { type Enter, type RequestStrings, SHARING_PATH, type SharingContext } from './sharing-options.ts'
import { addTableRoutes } from './table-routes.ts'

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
        return request.params as RequestStrings
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
  const queryOf = ({ query }: FastifyRequest) => query as RequestStrings

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
