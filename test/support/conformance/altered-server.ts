import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { onLoopback } from '../servers/loopback.ts'
import type { Target } from './ask.ts'

/** A reply on its way out. */
export interface Passing {
  status: number
  text: string
  type: string
}

/** Changes a reply, or answers in its own way and gives nothing. */
export type Alter = (passing: Passing, request: IncomingMessage, raw: ServerResponse) => Passing | undefined

export interface AlteredServer {
  readonly target: Target
  close(): Promise<void>
}

/** A server whose answers are those of another one, altered. */
export async function alteredServer(of: FastifyInstance, alter: Alter): Promise<AlteredServer> {
  const server = createServer(async (request, raw) => {
    const payload = await readText(request)
    // What is altered has to be plain text.
    const { authorization: _, 'accept-encoding': __, ...headers } = request.headers
    const method = request.method as 'GET' | 'POST'
    const own = await of.inject({ method, url: request.url ?? '', headers, payload })
    const type = String(own.headers['content-type'] ?? '')
    const kept = ['ledgerlake-snapshot', 'ledgerlake-rows'].flatMap((name) => {
      const value = own.headers[name]
      return value === undefined ? [] : [[name, String(value)]]
    })
    const passing = alter({ status: own.statusCode, text: own.body, type }, request, raw)
    if (passing === undefined) return
    raw.writeHead(passing.status, { 'content-type': passing.type, ...Object.fromEntries(kept) })
    raw.end(passing.text)
  })
  const { origin, close } = await onLoopback(server)
  const addresses = { baseUrl: `${origin}/v1`, graphqlUrl: `${origin}/graphql` }
  return { target: { ...addresses, network: 'net', timeoutMs: 5_000 }, close }
}
