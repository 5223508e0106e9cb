import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { keyParameters } from '../../operate/keys/key-parameters.ts'
import type { Log } from './log.ts'

/** Returns true if a response of `ms` or less may be logged. */
export function canLogWithin({ access, slowRequestMs = 0 }: Log, ms: number): boolean {
  return access || (slowRequestMs > 0 && slowRequestMs <= ms)
}

/** Logs slow requests with their plan as warnings, and with `access` every request at level info. */
export function logRequests(server: FastifyInstance, { access, slowRequestMs = 0 }: Log): void {
  if (!access && slowRequestMs === 0) return
  server.addHook('onResponse', (request, reply, done) => {
    const isSlow = slowRequestMs > 0 && reply.elapsedTime >= slowRequestMs
    if (isSlow) request.log.warn({ ...lineOf(request, reply), ...planOf(request, reply) }, 'slow request')
    else if (access) request.log.info(lineOf(request, reply))
    done()
  })
}

function lineOf(request: FastifyRequest, reply: FastifyReply): object {
  return {
    reqId: request.id,
    method: request.method,
    url: withoutSecrets(request.originalUrl),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 1000) / 1000,
    from: request.ip,
    ...(request.apiKey && { key: request.apiKey.id, name: request.apiKey.name }),
    snapshot: reply.getHeader('Ledgerlake-Snapshot'),
  }
}

/** Returns the access path from Server-Timing, and rows and bytes if a header has them. */
function planOf({ routeOptions }: FastifyRequest, reply: FastifyReply): object {
  const timing = String(reply.getHeader('Server-Timing') ?? '')
  return {
    route: routeOptions.url,
    plan: /desc="([^"]*)"/.exec(timing)?.[1] ?? (timing || undefined),
    rows: numberIn(reply.getHeader('Ledgerlake-Rows')),
    bytes: numberIn(reply.getHeader('Content-Length')),
  }
}

const numberIn = (header: unknown) => (header === undefined ? undefined : Number(header))

/** Removes the values of key and signature parameters: keys of other services cannot be recognised by their form. */
const withoutSecrets = (url: string) => url.replace(secretParameter, '$1=…')

const secretParameter = new RegExp(
  `([?&;](?:${keyParameters.join('|')}|authorization|signature))=[^&;#]*`,
  'gi',
)
