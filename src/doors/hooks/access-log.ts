import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { keyParameters } from '../../operate/keys/key-parameters.ts'
import type { Log } from './log.ts'

/** Whether replies are logged that take no longer than so many milliseconds. */
export function logsWithin({ access, slowRequestMs = 0 }: Log, ms: number): boolean {
  return access || (slowRequestMs > 0 && slowRequestMs <= ms)
}

/** Logs every request with `access`, at level info, and slow ones with their plan, as warnings. */
export function logRequests(server: FastifyInstance, { access, slowRequestMs = 0 }: Log): void {
  if (!access && slowRequestMs === 0) return
  server.addHook('onResponse', (request, reply, done) => {
    const isSlow = slowRequestMs > 0 && reply.elapsedTime >= slowRequestMs
    if (isSlow) request.log.warn({ ...lineOf(request, reply), ...planOf(request, reply) }, 'slow request')
    else if (access) request.log.info(lineOf(request, reply))
    done()
  })
}

/** The key is named by its id. */
function lineOf(request: FastifyRequest, reply: FastifyReply): object {
  return {
    reqId: request.id,
    method: request.method,
    url: withoutOtherKeys(request.originalUrl),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 1000) / 1000,
    from: request.ip,
    ...(request.apiKey && { key: request.apiKey.id, name: request.apiKey.name }),
    snapshot: reply.getHeader('Ledgerlake-Snapshot'),
  }
}

/** Who answered and what was read for it, as Server-Timing tells, and how much was sent where that is known ahead. */
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

/** Keys of other services have no form by which they are known; what stands in such a parameter is not logged, nor is a signature. */
function withoutOtherKeys(url: string): string {
  return url.replace(secretParameter, '$1=…')
}

const secretParameter = new RegExp(
  `([?&;](?:${keyParameters.join('|')}|authorization|signature))=[^&;#]*`,
  'gi',
)
