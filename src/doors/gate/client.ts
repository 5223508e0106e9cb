import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { ApiKey } from '../../keys/api-key.ts'

/** Identifies the client for limits and fair queuing: by its key, or by its network if no keys are needed. */
export function clientOf({ apiKey, ip }: FastifyRequest): string {
  return clientName(apiKey, ip)
}

export function clientName(key: Pick<ApiKey, 'id'> | null, address: string): string {
  return key?.id ?? subnetOf(address)
}

/** Returns an IPv4 address itself, and of an IPv6 address its /64: a subscriber chooses the other bits. */
export function subnetOf(address: string): string {
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
