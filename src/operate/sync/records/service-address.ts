/**
 * Returns the address of a service up to the name of its network; undefined for text that is no such address. An
 * address without path, or one that ends in `/v1`, gets the network `net`.
 */
export function serviceAddress(text: string): string | undefined {
  if (!/^https?:\/\/[^\s?#@]+$/i.test(text) || !URL.canParse(text)) return undefined
  const { origin, pathname } = new URL(text)
  const path = pathname.replace(/\/+$/, '')
  if (path === '') return `${origin}/v1/net`
  return `${origin}${path}${path.endsWith('/v1') ? '/net' : ''}`
}
