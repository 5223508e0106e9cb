import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Those who share one turn: the requests of a key, or of an address where no keys are needed. */
export function callerOf({ apiKey, ip }: FastifyRequest): string {
  return apiKey?.id ?? networkOf(ip)
}

/** The address itself for IPv4; for IPv6 the 64 bits that are one subscriber's, who may choose all others. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = address.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from(
    { length: tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length) },
    () => '0',
  )
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
