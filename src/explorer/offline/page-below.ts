import { routeOf } from '../values/addresses.ts'

/** Returns whether an address below a scope (`https://host/base/`) is a page or a file of the explorer; undefined for all other addresses. */
export function pageBelow(address: string, scope: string): 'page' | 'file' | undefined {
  const { origin, pathname } = new URL(address)
  const { origin: ownOrigin, pathname: base } = new URL(scope)
  if (origin !== ownOrigin || !pathname.startsWith(base)) return undefined
  if (pathname.startsWith(`${base}explorer/`)) return 'file'
  return routeOf(pathname, base.slice(0, -1)) === undefined ? undefined : 'page'
}
