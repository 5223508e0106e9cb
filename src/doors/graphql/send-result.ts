import type { FastifyReply } from 'fastify'
import { type JsonObject, writeJson } from '../../base/values/json-writer.ts'
import { preferred } from '../reply/accept.ts'
import { JSON_TYPE, send } from '../reply/representation.ts'

const plain = { type: JSON_TYPE }
const graphqlType = { type: 'application/graphql-response+json; charset=utf-8' }

/** Sends a result in the media type that the client prefers. */
export function sendResult(reply: FastifyReply, status: number, body: JsonObject): FastifyReply {
  return sendText(reply, status, writeJson(body))
}

/** Sends a result that is written; without a `tag` its ETag is a digest. */
export function sendText(reply: FastifyReply, status: number, body: string, tag?: string): FastifyReply {
  const { type } = preferred(reply, [plain, graphqlType])
  return send(reply.code(status), { type, body, ...(tag !== undefined && { tag }) })
}

/**
 * Sends why a query was not executed: 400 in the media type of GraphQL, and 200 in plain JSON, where many clients look at
 * errors under no other status. It costs nothing of a quota.
 */
export function sendUnexecuted(reply: FastifyReply, body: JsonObject): FastifyReply {
  reply.request.quotaReservation = null
  reply.header('Cache-Control', 'no-store')
  return sendResult(reply, preferred(reply, [plain, graphqlType]) === graphqlType ? 400 : 200, body)
}
