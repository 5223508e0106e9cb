import type { DirectRoute } from './direct-route.ts'

export interface RouteMatch {
  readonly route: DirectRoute
  /** Empty for a path without an id. */
  readonly id: string
  readonly query: string
}

interface RouteTable {
  add(route: DirectRoute): void
  /** Finds the route of a URL without the base path; undefined if Fastify has to decide. */
  find(url: string): RouteMatch | undefined
}

/** Non-ASCII bytes and fragments are left to the routes. */
const UNUSUAL = /%[89a-f]|#/i
const ID = ':id'

export function openRouteTable(): RouteTable {
  const routes = new Map<string, DirectRoute>()
  return {
    add: (route) => void routes.set(route.path, route),
    find(url) {
      if (UNUSUAL.test(url)) return undefined
      const start = url.indexOf('?')
      const path = start < 0 ? url : url.slice(0, start)
      const query = start < 0 ? '' : url.slice(start + 1)
      const exact = routes.get(path)
      if (exact !== undefined) return { route: exact, id: '', query }
      const end = path.lastIndexOf('/') + 1
      const id = path.slice(end)
      if (id === '' || id === ID || id.includes('%')) return undefined
      const route = routes.get(path.slice(0, end) + ID)
      return route && { route, id, query }
    },
  }
}
