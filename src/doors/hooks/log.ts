import type { FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import { withoutKeys } from '../../operate/keys/api-key.ts'

/** Lines of JSON: what went wrong, slow requests, and with `access` every request. */
export interface Log {
  readonly access: boolean
  /** The least level that is written; without it `info` with `access`, and `error` otherwise. */
  readonly level?: 'error' | 'warn' | 'info' | 'debug'
  /** Requests that take at least as long are logged with their plan; none by default. */
  readonly slowRequestMs?: number
  write(line: string): void
}

/** The level as a word, the time as it stands in replies, and no line with a key. */
export function openLogger({ access, level = access ? 'info' : 'error', write }: Log): FastifyBaseLogger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (name) => ({ level: name }) },
    },
    { write: (line: string) => write(withoutKeys(line)) },
  )
}
