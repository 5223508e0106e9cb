import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import { all } from '@fastify/proxy-addr'

/** Proxies whose X-Forwarded headers are used: all, none, by address, or a number of hops before the server. */
export type TrustedProxies = boolean | number | readonly string[]

/** Private, loopback and link-local addresses. */
const privateAddresses = new BlockList()
privateAddresses.addSubnet('10.0.0.0', 8)
privateAddresses.addSubnet('127.0.0.0', 8)
privateAddresses.addSubnet('169.254.0.0', 16)
privateAddresses.addSubnet('172.16.0.0', 12)
privateAddresses.addSubnet('192.168.0.0', 16)
privateAddresses.addAddress('::1', 'ipv6')
privateAddresses.addSubnet('fc00::', 7, 'ipv6')
privateAddresses.addSubnet('fe80::', 10, 'ipv6')

/**
 * Returns the `trustProxy` option of Fastify. For a number of hops, the connecting proxy must have a private address: a client
 * that reaches the port from the internet cannot forge its address.
 */
export function trustProxyOption(
  proxies: TrustedProxies,
): boolean | string[] | ((address: string | undefined, hop: number) => boolean) {
  if (typeof proxies === 'boolean') return proxies
  if (typeof proxies !== 'number') return [...proxies]
  return (address, hop) => hop < proxies && (hop > 0 || isPrivate(address))
}

/** Returns a function that reads the address of a client, as Fastify does. */
export function addressReader(proxies: TrustedProxies): (message: IncomingMessage) => string {
  const option = trustProxyOption(proxies)
  if (option === false) return ({ socket }) => socket.remoteAddress ?? ''
  const trusted = option === true ? () => true : option
  return (message) => all(message, trusted).at(-1) ?? ''
}

function isPrivate(address = ''): boolean {
  const plain = address.replace(/%.*$/, '')
  return privateAddresses.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}
