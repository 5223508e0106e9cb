import type { IncomingMessage } from 'node:http'
import { isDecidedByTag } from '../reply/entity-tag.ts'

/** Request headers that need a route. */
const routedHeaders = ['content-length', 'transfer-encoding', 'x-no-compression']

/** Returns true if key, URL, Accept, Accept-Encoding, If-None-Match and Origin alone decide the response. */
export function isPlainGet({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' && isDecidedByTag(headers) && routedHeaders.every((name) => headers[name] === undefined)
  )
}
