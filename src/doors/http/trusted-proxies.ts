import { BlockList, isIPv6 } from 'node:net'

/** Proxies whose X-Forwarded headers count: all, none, those with such addresses, or so many in a row before the server. */
export type TrustedProxies = boolean | number | readonly string[]

/** Addresses that do not come from the internet. */
const near = new BlockList()
near.addSubnet('10.0.0.0', 8)
near.addSubnet('127.0.0.0', 8)
near.addSubnet('169.254.0.0', 16)
near.addSubnet('172.16.0.0', 12)
near.addSubnet('192.168.0.0', 16)
near.addAddress('::1', 'ipv6')
near.addSubnet('fc00::', 7, 'ipv6')
near.addSubnet('fe80::', 10, 'ipv6')

/**
 * What Fastify asks of each address from the nearest on. Where proxies are counted, the one that connects has to be near as well:
 * whoever reaches the port from the internet is the caller, whatever its headers say.
 */
export function trustOf(proxies: TrustedProxies): boolean | string[] | Trust {
  if (typeof proxies === 'boolean') return proxies
  if (typeof proxies !== 'number') return [...proxies]
  return (address, hop) => hop < proxies && (hop > 0 || isNear(address))
}

type Trust = (address: string | undefined, hop: number) => boolean

function isNear(address = ''): boolean {
  const plain = address.replace(/%.*$/, '')
  return near.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}
