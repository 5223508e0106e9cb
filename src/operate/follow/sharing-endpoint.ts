const DOOR = '/delta-sharing'

/**
 * The door of a ledgerlake that shares its lake, from what a user gives: the address of the server, or the door itself, as the endpoint of a profile
 * has it. Undefined for what is no such address.
 */
export function sharingEndpoint(text: string): string | undefined {
  if (!/^https?:\/\/[^\s?#@]+$/i.test(text) || !URL.canParse(text)) return undefined
  const { origin, pathname } = new URL(text)
  const path = pathname.replace(/\/+$/, '')
  return origin + (path.endsWith(DOOR) ? path : path + DOOR)
}
