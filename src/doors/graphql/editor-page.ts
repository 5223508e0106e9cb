import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BuiltFile } from '../explorer/built-files.ts'
import { explorerPage, explorerPolicy, type PageLocation } from '../explorer/page.ts'
import { HTML_TYPE, send } from '../reply/representation.ts'

/** Returns true for a page load by a browser. */
export function wantsPage({ headers, method }: FastifyRequest): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true
}

/** The page on which queries are written. Its editor sets styles of its own, so each reply has a nonce. */
export function sendEditorPage(
  reply: FastifyReply,
  entry: BuiltFile | undefined,
  place: PageLocation,
): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  const body = explorerPage(entry, { ...place, nonce })
  return send(reply.header('Content-Security-Policy', explorerPolicy(nonce)), { type: HTML_TYPE, body })
}
