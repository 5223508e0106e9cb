import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiKey } from '../../keys/api-key.ts'
import { TurnBatch } from '../concurrency/turn-batch.ts'
import type { RequestLog } from '../hooks/access-log.ts'
import type { Counted } from '../monitoring/measures/measure.ts'
import type { WholeBody } from '../reply/representation.ts'

/** A response that skips Fastify's hooks. */
export interface DirectReply {
  readonly status: 200 | 304
  /** Lower-case names and values in turn. */
  readonly headers: readonly string[]
  readonly body: WholeBody | undefined
  /** Pattern of the path. */
  readonly route: string
}

interface Caller {
  /** Start of the request by `performance.now()`. */
  readonly begun: number
  readonly key: ApiKey | null
}

interface Sending {
  readonly response: ServerResponse
  readonly reply: DirectReply
  readonly caller: Caller
}

export type SendReply = (response: ServerResponse, reply: DirectReply, caller: Caller) => void

interface SenderParts {
  readonly count: (reply: Counted) => void
  readonly log: RequestLog
  /** Returns the address of the client. */
  readonly addressOf: (request: IncomingMessage) => string
}

/**
 * Sends, counts and logs responses. Those of one turn of the event loop are sent together at its end: this wakes a client on the
 * same machine once instead of for each response.
 */
export function openSender({ count, log, addressOf }: SenderParts): SendReply {
  const batch = new TurnBatch<Sending>((all) => {
    for (const one of all) sendNow(one)
  })

  function sendNow({
    response,
    reply: { status, headers, body, route },
    caller: { begun, key },
  }: Sending): void {
    const { req: request } = response
    const { socket } = request
    const { bytesWritten } = socket
    // Node adds to the list that it is given.
    response.writeHead(status, headers as string[]).end(body)
    const ms = performance.now() - begun
    count({ method: 'GET', route, status, seconds: ms / 1000, bytes: socket.bytesWritten - bytesWritten })
    if (!log.has(ms)) return
    const header = (name: string) => headerIn(headers, name)
    const { url = '' } = request
    log.write({
      ...{ id: String(header('x-request-id')), method: 'GET', url, route, status, ms },
      ...{ from: addressOf(request), key, header },
    })
  }

  return (response, reply, caller) => batch.add({ response, reply, caller })
}

function headerIn(headers: readonly string[], name: string): string | undefined {
  const index = headers.findIndex((candidate, at) => at % 2 === 0 && candidate === name)
  return index < 0 ? undefined : headers[index + 1]
}
