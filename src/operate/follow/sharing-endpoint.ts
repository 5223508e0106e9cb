const DOOR = '/delta-sharing'

/**
 * Returns the Delta Sharing endpoint of a server, from its address or from the endpoint itself; undefined for any other
 * text.
 */
export function sharingEndpoint(text: string): string | undefined {
  if (!/^https?:\/\/[^\s?#@]+$/i.test(text) || !URL.canParse(text)) return undefined
  const { origin, pathname } = new URL(text)
  const path = pathname.replace(/\/+$/, '')
  return origin + (path.endsWith(DOOR) ? path : path + DOOR)
}
