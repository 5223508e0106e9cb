import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import { type JsonObject, writeJson } from '../../base/values/json-writer.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { JSON_TYPE } from '../reply/representation.ts'

/** True if lines have the members of the protocol, or actions of the Delta log. */
export type ResponseFormat = 'parquet' | 'delta'

const CAPABILITIES = 'Delta-Sharing-Capabilities'

/**
 * Returns `delta` only for clients that accept nothing else: every client reads `parquet`, and no table here
 * needs more. Source: the protocol, "responseFormat".
 */
export function responseFormatFor({ headers }: FastifyRequest): ResponseFormat {
  const header = String(headers[CAPABILITIES.toLowerCase()] ?? '')
  const capabilities = header.split(';').map((one) => one.trim().toLowerCase().split('='))
  const formats = capabilities.find(([name]) => name === 'responseformat')?.[1] ?? ''
  const accepted = formats.split(',').map((one) => one.trim())
  return accepted.includes('delta') && !accepted.includes('parquet') ? 'delta' : 'parquet'
}

export const NDJSON = 'application/x-ndjson; charset=utf-8'
const FILE_IDS = 'Fileidhash'

export function sendObject(reply: FastifyReply, value: JsonObject): FastifyReply {
  return reply.type(JSON_TYPE).send(writeJson(value))
}

/** Sends the version of a table in a header, with an empty body. */
export function sendVersion(reply: FastifyReply, version: number): FastifyReply {
  return reply.header('Delta-Table-Version', version).type(JSON_TYPE).send('')
}

/** Sends one JSON object a line. Clients that state their capabilities get the format in a header. */
export function sendLines(
  request: FastifyRequest,
  reply: FastifyReply,
  { version }: TableSnapshot,
  lines: readonly JsonObject[],
): FastifyReply {
  if (request.headers[CAPABILITIES.toLowerCase()] !== undefined)
    reply.header(CAPABILITIES, `responseformat=${responseFormatFor(request)}`)
  reply.header('Delta-Table-Version', version)
  return reply.type(NDJSON).send(lines.map((line) => `${writeJson(line)}\n`).join(''))
}

/** Confirms the requested scheme of file ids; both schemes give the same ids. Errors: `malformed_request`. */
export function sendFileIdScheme({ headers }: FastifyRequest, reply: FastifyReply): void {
  const header = headers[FILE_IDS.toLowerCase()]
  if (header === undefined) return
  const scheme = String(header).trim().toLowerCase()
  if (scheme !== 'parquet' && scheme !== 'delta')
    fail('malformed_request', `The header fileidhash is ${quoted(String(header))}; use parquet or delta.`)
  reply.header(FILE_IDS, scheme)
}
