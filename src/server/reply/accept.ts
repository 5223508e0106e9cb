import type { FastifyReply } from 'fastify'
import { varyBy } from './vary.ts'

/** Something that is offered in a media type. */
export interface Offered {
  readonly type: string
}

/**
 * Which of several representations a caller prefers: the greatest q of Accept wins, then what stands there first; the
 * first one is for callers who accept none. Where there is a choice, Vary has Accept.
 */
export function preferred<T extends Offered>(reply: FastifyReply, offered: readonly [T, ...T[]]): T {
  if (offered.length === 1) return offered[0]
  varyBy(reply, 'Accept')
  return preferredBy(reply.request.headers.accept, offered)
}

/** The same for the value of Accept alone. */
export function preferredBy<T extends Offered>(accept = '', offered: readonly [T, ...T[]]): T {
  const [best] = accept
    .toLowerCase()
    .split(',')
    .map(readRange)
    .flatMap(({ range, weight }) => {
      const one = weight > 0 && offered.find(({ type }) => isIn(range, type))
      return one ? [{ one, weight }] : []
    })
    .sort((one, other) => other.weight - one.weight)
  return best?.one ?? offered[0]
}

/** Whether a client takes a media type; one that sends no Accept takes every type. */
export function accepts(accept: string | undefined, type: string): boolean {
  if (accept === undefined) return true
  const ranges = accept.toLowerCase().split(',').map(readRange)
  return ranges.some(({ range, weight }) => weight > 0 && isIn(range, type))
}

function isIn(range: string, type: string): boolean {
  const [plain = ''] = type.split(';')
  return range === '*/*' || range === plain || range === plain.replace(/\/.*/, '/*')
}

function readRange(text: string): { readonly range: string; readonly weight: number } {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return { range, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
}
