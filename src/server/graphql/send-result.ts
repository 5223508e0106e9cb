import type { FastifyReply, FastifyRequest } from 'fastify'
import { type JsonObject, writeJson } from '../../derive/json-writer.ts'
import { send } from '../reply/representation.ts'
import { varyBy } from '../reply/vary.ts'

const OWN_TYPE = 'application/graphql-response+json'
/** What a caller may accept, and whether that is the media type of GraphQL rather than plain JSON. */
const ranges: ReadonlyMap<string, boolean> = new Map([
  [OWN_TYPE, true],
  ['application/json', false],
  ['application/*', false],
  ['*/*', false],
])

/** Sends a result in the media type that the caller prefers. */
export function sendResult(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: JsonObject,
): FastifyReply {
  const type = prefersOwnType(request.headers.accept) ? OWN_TYPE : 'application/json'
  varyBy(reply, 'Accept').code(status)
  return send(reply, { type: `${type}; charset=utf-8`, body: writeJson(body) })
}

/**
 * Sends why a query was not executed: 400 in the media type of GraphQL, and 200 in plain JSON, where many clients look at
 * errors under no other status. It costs nothing of a quota.
 */
export function sendUnexecuted(request: FastifyRequest, reply: FastifyReply, body: JsonObject): FastifyReply {
  request.setAside = null
  reply.header('Cache-Control', 'no-store')
  return sendResult(request, reply, prefersOwnType(request.headers.accept) ? 400 : 200, body)
}

/** The greatest q wins, then what stands first; plain JSON when neither is accepted. */
function prefersOwnType(accept = ''): boolean {
  const accepted = accept
    .toLowerCase()
    .split(',')
    .map(readRange)
    .filter(({ type, weight }) => ranges.has(type) && weight > 0)
    .sort((one, other) => other.weight - one.weight)
  return ranges.get(accepted[0]?.type ?? '') ?? false
}

function readRange(range: string): { readonly type: string; readonly weight: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return { type, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
}
