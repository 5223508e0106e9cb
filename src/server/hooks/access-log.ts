import type { FastifyInstance } from 'fastify'
import { withoutKeys } from '../../keys/api-key.ts'

/** Lines of JSON: unexpected errors, and with `access` every request. */
export interface Log {
  readonly access: boolean
  write(line: string): void
}

/** Fastify's logger as it writes to this log: the level as a word, the time as it stands in replies. */
export function logger(log: Log) {
  return {
    level: log.access ? 'info' : 'error',
    stream: { write: (line: string) => log.write(withoutKeys(line)) },
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (level: string) => ({ level }) },
  }
}

/** One line for every request that was answered; the key is named by its id. */
export function logAccess(server: FastifyInstance): void {
  server.addHook('onResponse', (request, reply, done) => {
    request.log.info({
      reqId: request.id,
      method: request.method,
      url: request.originalUrl,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 1000) / 1000,
      from: request.ip,
      ...(request.apiKey && { key: request.apiKey.id, name: request.apiKey.name }),
      snapshot: reply.getHeader('Ledgerlake-Snapshot'),
    })
    done()
  })
}
