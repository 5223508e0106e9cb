import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import { type JsonObject, writeJson } from '../../base/values/json-writer.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { JSON_TYPE } from '../reply/representation.ts'
import { CAPABILITIES, responseFormatFor } from './response-format.ts'

export const NDJSON = 'application/x-ndjson; charset=utf-8'
const FILE_IDS = 'Fileidhash'

/** A reply as one JSON object. */
export function sendObject(reply: FastifyReply, value: JsonObject): FastifyReply {
  return reply.type(JSON_TYPE).send(writeJson(value))
}

/** The version of a table, which stands in a header alone. */
export function sendVersion(reply: FastifyReply, version: number): FastifyReply {
  return reply.header('Delta-Table-Version', version).type(JSON_TYPE).send('')
}

/** Lines about a version of a table, an object each; whoever told what it accepts is told the format. */
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

/** Says by which scheme ids of files are made, to who asks; both have the same ids here. Errors: `malformed_request`. */
export function tellFileIds({ headers }: FastifyRequest, reply: FastifyReply): void {
  const given = headers[FILE_IDS.toLowerCase()]
  if (given === undefined) return
  const scheme = String(given).trim().toLowerCase()
  if (scheme !== 'parquet' && scheme !== 'delta')
    fail('malformed_request', `The header fileidhash is ${quoted(String(given))}; use parquet or delta.`)
  reply.header(FILE_IDS, scheme)
}
