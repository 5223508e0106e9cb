import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** Address of the server for clients, behind a proxy or not. */
export interface PublicAddress {
  /** Scheme, host and port; if empty, those of each request are used. */
  readonly origin: string
  /** Prefix of every path, without a slash at the end; may be empty. */
  readonly basePath: string
}

/** The address of a server without a proxy. */
export const directAddress: PublicAddress = { origin: '', basePath: '' }

/** Returns the client's URL of the server, without a slash at the end. Encodes characters that are unsafe in texts and commands. */
export function baseUrlOf({ origin, basePath }: PublicAddress, { protocol, host }: FastifyRequest): string {
  return (origin || `${protocol}://${host.replace(/[^\w.:[\]~%-]/g, encoded)}`) + basePath
}

const encoded = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** Removes the base path from a URL; some proxies have removed it already. */
export function withoutBasePath({
  basePath,
}: PublicAddress): (request: Pick<IncomingMessage, 'url'>) => string {
  return ({ url = '/' }) => {
    const rest = url.slice(basePath.length)
    if (!url.startsWith(basePath) || !/^(?:$|[/?])/.test(rest)) return url
    return rest.startsWith('/') ? rest : `/${rest}`
  }
}
