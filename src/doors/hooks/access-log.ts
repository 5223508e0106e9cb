import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type ApiKey, withoutKeys } from '../../keys/api-key.ts'
import { keyParameters } from '../../keys/key-parameters.ts'
import type { Log } from './log.ts'

/** A response that was sent. */
interface SentFacts {
  readonly id: string
  readonly method: string
  readonly url: string
  /** Pattern of the path. */
  readonly route: string | undefined
  readonly status: number
  readonly ms: number
  /** Address of the client. */
  readonly from: string
  readonly key: ApiKey | null
  /** Returns a header of the response by its lower-case name. */
  header(name: string): unknown
}

/** Logs slow requests with their plan as warnings, and with `access` every request at level info. */
export interface RequestLog {
  /** Returns true if a response of this duration is logged. */
  has(ms: number): boolean
  write(facts: SentFacts): void
}

export function openRequestLog(log: Log, logger: Pick<FastifyBaseLogger, 'warn' | 'level'>): RequestLog {
  const { slowRequestMs = 0 } = log
  const access = log.access && ['info', 'debug'].includes(logger.level)
  const write = log.writeAccess ?? log.write
  const isSlow = (ms: number) => slowRequestMs > 0 && ms >= slowRequestMs
  return {
    has: (ms) => access || isSlow(ms),
    write(facts) {
      if (isSlow(facts.ms)) logger.warn({ ...lineOf(facts), ...planOf(facts) }, 'slow request')
      else if (access) write(accessLineOf(facts))
    },
  }
}

/** Logs the requests that Fastify routes. */
export function logRouted(server: FastifyInstance, log: RequestLog): void {
  server.addHook('onResponse', (request, reply, done) => {
    if (log.has(reply.elapsedTime))
      log.write({
        ...{ id: request.id, method: request.method, url: request.originalUrl },
        ...{ route: request.routeOptions.url, status: reply.statusCode, ms: reply.elapsedTime },
        ...{ from: request.ip, key: request.apiKey, header: (name) => reply.getHeader(name) },
      })
    done()
  })
}

/** Returns a line as the logger writes it, in a third of its time. */
function accessLineOf(facts: SentFacts): string {
  const line = { level: 'info', time: new Date().toISOString(), ...lineOf(facts) }
  return `${withoutKeys(JSON.stringify(line))}\n`
}

function lineOf({ id, method, url, status, ms, from, key, header }: SentFacts): object {
  return {
    ...{ reqId: id, method, url: withoutSecrets(url), status, ms: Math.round(ms * 1000) / 1000, from },
    ...(key && { key: key.id, name: key.name }),
    snapshot: header('ledgerlake-snapshot'),
  }
}

/** Returns the access path from Server-Timing, and rows and bytes if a header has them. */
function planOf({ route, header }: SentFacts): object {
  const timing = String(header('server-timing') ?? '')
  return {
    route,
    plan: /desc="([^"]*)"/.exec(timing)?.[1] ?? (timing || undefined),
    rows: numberIn(header('ledgerlake-rows')),
    bytes: numberIn(header('content-length')),
  }
}

const numberIn = (header: unknown) => (header === undefined ? undefined : Number(header))

/** Removes the values of key and signature parameters: keys of other services cannot be recognised by their form. */
const withoutSecrets = (url: string) => url.replace(secretParameter, '$1=…')

const secretParameter = new RegExp(
  `([?&;](?:${keyParameters.join('|')}|authorization|signature))=[^&;#]*`,
  'gi',
)
