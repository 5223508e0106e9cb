/** The subject of a page. The server sends one document for all pages; the script renders the page. */
export const pageKinds = ['hotspot', 'owner', 'account', 'gateway', 'transaction'] as const
export type PageKind = (typeof pageKinds)[number]

/** The route of a page: the network, a list of hotspots, or one record by its key. */
export type Place =
  | { readonly page: 'network' }
  | { readonly page: 'fleet' }
  | { readonly page: PageKind; readonly key: string }

/** Route patterns of all pages, in the syntax of the server's router. */
export const pagePatterns: readonly string[] = ['/fleet', ...pageKinds.map((kind) => `/${kind}/:id`)]

/** Returns the route of a path below the base path; undefined if no page has this path. */
export function routeOf(path: string, base: string): Place | undefined {
  const route = path.startsWith(base) ? path.slice(base.length).replace(/\/$/, '') : path
  if (route === '') return { page: 'network' }
  if (route === '/fleet') return { page: 'fleet' }
  const [, kind = '', key = '', ...more] = route.split('/')
  const page = pageKinds.find((one) => one === kind)
  const isOne = page !== undefined && key !== '' && more.length === 0
  return isOne ? { page, key: decoded(key) } : undefined
}

/** Returns the path of a page, relative to the base path. */
export function pagePath(kind: PageKind, key: string): string {
  return `/${kind}/${encodeURIComponent(key)}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
