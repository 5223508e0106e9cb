import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { JSON_TYPE } from '../reply/representation.ts'

/** Refuses a request past all that is done for other replies, apart from their headers: a server that has too much to do refuses many. */
export function sendRefusal(reply: FastifyReply, body: string, seconds: number): void {
  reply.headers({
    'Retry-After': seconds,
    'Cache-Control': 'no-store',
    'Content-Type': JSON_TYPE,
    'Content-Length': Buffer.byteLength(body),
  })
  reply.hijack()
  reply.raw.writeHead(503, reply.getHeaders() as OutgoingHttpHeaders).end(body)
}
