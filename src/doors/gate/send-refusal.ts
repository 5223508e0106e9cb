import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { JSON_TYPE } from '../reply/representation.ts'

/** Sends a 503 past Fastify's hooks: an overloaded server refuses many requests. */
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
