import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** The address by which callers know the server. */
export interface Outside {
  /** Scheme, host and port; empty where each request tells them. */
  readonly origin: string
  /** What stands before every path, without a slash at the end; empty where nothing does. */
  readonly basePath: string
}

/** The address of a server that is asked as it listens. */
export const asAsked: Outside = { origin: '', basePath: '' }

/** The address that the caller knows the server by, without a slash at the end. Signs that a text or a command may stumble over are encoded. */
export function baseFor({ origin, basePath }: Outside, { protocol, host }: FastifyRequest): string {
  return (origin || `${protocol}://${host.replace(/[^\w.:[\]~%-]/g, encoded)}`) + basePath
}

const encoded = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** Takes the base path from an address that has it; proxies that strip it themselves send addresses without. */
export function withoutBase({ basePath }: Outside): (request: Pick<IncomingMessage, 'url'>) => string {
  return ({ url = '/' }) => {
    const rest = url.slice(basePath.length)
    if (!url.startsWith(basePath) || !/^(?:$|[/?])/.test(rest)) return url
    return rest.startsWith('/') ? rest : `/${rest}`
  }
}
