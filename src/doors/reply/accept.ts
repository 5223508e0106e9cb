import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import Negotiator from 'negotiator'
import { varyBy } from './vary.ts'

export interface Offered {
  readonly type: string
}

/** Chooses the representation that Accept prefers, or the first if it accepts none. Adds Accept to Vary. Source: RFC 9110, 12.5.1. */
export function preferred<T extends Offered>(reply: FastifyReply, offered: readonly [T, ...T[]]): T {
  if (offered.length === 1) return offered[0]
  varyBy(reply, 'Accept')
  return preferredBy(reply.request.headers.accept, offered)
}

/** Does the same without setting Vary. */
export function preferredBy<T extends Offered>(accept: string | undefined, offered: readonly [T, ...T[]]): T {
  const [best] = acceptedOf(
    accept,
    offered.map(({ type }) => type),
  )
  return offered.find(({ type }) => type === best) ?? offered[0]
}

/** Returns true if Accept allows a media type; a missing Accept allows all. */
export function accepts(accept: string | undefined, type: string): boolean {
  return acceptedOf(accept, [type]).length > 0
}

/** Returns true if Accept-Encoding allows gzip, also by its older name. Source: RFC 9110, 8.4.1.3. */
export function acceptsGzip({ 'accept-encoding': codings }: IncomingHttpHeaders): boolean {
  const headers = { 'accept-encoding': codings?.replace(/x-gzip/i, 'gzip') }
  return new Negotiator({ headers }).encodings(['gzip']).length > 0
}

function acceptedOf(accept: string | undefined, types: string[]): string[] {
  return new Negotiator({ headers: { accept } }).mediaTypes(types)
}
