import { resolve } from 'node:path'
import { fail } from '../../base/errors.ts'
import type { RegisterOptions } from './register-tables.ts'
import type { TrinoEngineOptions } from './trino-engine.ts'

interface TrinoSettings {
  readonly lake: string
  readonly trino_server: string
  readonly trino_catalog: string
  readonly trino_schema: string
  readonly trino_user: string
  readonly trino_session: Readonly<Record<string, string>>
  readonly trino_location: string
  readonly engine_connections: number
  readonly request_timeout_ms: number
  readonly export_timeout_ms: number
}

/** Errors: `malformed_request` without a server, or for a password over plain HTTP. */
export function trinoOptionsOf(
  settings: TrinoSettings,
  password: string,
): TrinoEngineOptions & RegisterOptions {
  const { trino_server: server } = settings
  if (server === '')
    fail(
      'malformed_request',
      'The engine trino needs an address; set --trino-server, such as --trino-server http://127.0.0.1:8080.',
    )
  if (password !== '' && !server.startsWith('https:'))
    fail(
      'malformed_request',
      `LEDGERLAKE_TRINO_PASSWORD is set and --trino-server is ${server}; a password is sent over https alone.`,
    )
  return {
    ...{ server, password, user: settings.trino_user, session: settings.trino_session },
    ...{ catalog: settings.trino_catalog, schema: settings.trino_schema },
    location: settings.trino_location || `local://${resolve(settings.lake)}`,
    statements: settings.engine_connections,
    longestMs: settings.request_timeout_ms,
    longestListMs: settings.export_timeout_ms,
  }
}
