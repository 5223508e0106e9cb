import type { FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import { withoutKeys } from '../../keys/api-key.ts'

/** Log of JSON lines. */
export interface Log {
  /** Logs every request. */
  readonly access: boolean
  /** Default: `info` with `access`, otherwise `error`. */
  readonly level?: 'error' | 'warn' | 'info' | 'debug'
  /** Logs requests of at least this duration with their plan; 0 logs none. */
  readonly slowRequestMs?: number
  write(line: string): void
  /** Writes a line of the access log; default: `write`. */
  writeAccess?(line: string): void
}

/** Opens a logger that writes the level as a word and ISO timestamps, and removes API keys. */
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
