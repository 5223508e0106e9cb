import type { FastifyReply } from 'fastify'
import Negotiator from 'negotiator'
import { varyBy } from './vary.ts'

/** Something that is offered in a media type. */
export interface Offered {
  readonly type: string
}

/**
 * The representation that a caller prefers, by the weight of the narrowest range that has its type; the first one for callers
 * who accept none. Where there is a choice, Vary has Accept. Source: RFC 9110, 12.5.1.
 */
export function preferred<T extends Offered>(reply: FastifyReply, offered: readonly [T, ...T[]]): T {
  if (offered.length === 1) return offered[0]
  varyBy(reply, 'Accept')
  return preferredBy(reply.request.headers.accept, offered)
}

/** The same for the value of Accept alone. */
export function preferredBy<T extends Offered>(accept: string | undefined, offered: readonly [T, ...T[]]): T {
  const [best] = acceptedOf(
    accept,
    offered.map(({ type }) => type),
  )
  return offered.find(({ type }) => type === best) ?? offered[0]
}

/** Whether a client takes a media type; one that sends no Accept takes every type. */
export function accepts(accept: string | undefined, type: string): boolean {
  return acceptedOf(accept, [type]).length > 0
}

function acceptedOf(accept: string | undefined, types: string[]): string[] {
  return new Negotiator({ headers: { accept } }).mediaTypes(types)
}
