import type { ServerResponse } from 'node:http'
import type { Counted } from '../monitoring/measures/measure.ts'
import { ReplyBatch } from './reply-batch.ts'
import type { WholeBody } from './representation.ts'

/** A response that skips Fastify's hooks. */
interface PlainReply {
  readonly status: 200 | 304
  /** Names and values in turn. */
  readonly headers: string[]
  readonly body: WholeBody | undefined
  /** Pattern of the path, for metrics. */
  readonly route: string
  /** Start of the request by `performance.now()`. */
  readonly begun: number
}

export type SendReply = (response: ServerResponse, reply: PlainReply) => void

/** Sends and counts responses. */
export function openSender(count: (reply: Counted) => void): SendReply {
  const batch = new ReplyBatch()
  return (response, { status, headers, body, route, begun }) =>
    batch.send(() => {
      const { socket } = response.req
      const { bytesWritten } = socket
      response.writeHead(status, headers).end(body)
      const [seconds, bytes] = [(performance.now() - begun) / 1000, socket.bytesWritten - bytesWritten]
      count({ method: 'GET', route, status, seconds, bytes })
    })
}
