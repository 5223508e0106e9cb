/**
 * The address of a service up to the name of its network, from what a user gives: an address without a path, or one that
 * ends in `/v1`, is that of the network `net`. Undefined for what is no such address.
 */
export function serviceAddress(text: string): string | undefined {
  if (!/^https?:\/\/[^\s?#@]+$/i.test(text) || !URL.canParse(text)) return undefined
  const { origin, pathname } = new URL(text)
  const path = pathname.replace(/\/+$/, '')
  if (path === '') return `${origin}/v1/net`
  return `${origin}${path}${path.endsWith('/v1') ? '/net' : ''}`
}
