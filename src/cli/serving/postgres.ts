import { fail } from '../../base/errors.ts'
import type { PostgresOptions } from '../../doors/postgres/serve-postgres.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { LOOPBACK } from './loopback.ts'
import type { ServerHooks } from './running-server.ts'

/** Most connections of clients of PostgreSQL in one process. */
const MOST_CONNECTIONS = 1000

interface Process {
  readonly open: PostgresOptions['open']
  readonly certificate: PostgresOptions['certificate']
  /** Limit of connections of HTTP; half of it is for PostgreSQL. */
  readonly most: number | undefined
}

/** Errors: `malformed_request` if others could run SQL without a key. */
export function refuseOpenPostgres({ postgres, open, open_sql }: Settings, isLocked: boolean): void {
  if (postgres === null || isLocked || LOOPBACK.test(postgres.host) || (open && open_sql)) return
  fail(
    'malformed_request',
    `Refusing to answer SQL on ${postgres.host} without API keys, since others can reach it. Add a key ` +
      '(ledgerlake keys add --name NAME --features HotspotData,OracleData,Aggregates,Sql), or use --postgres 127.0.0.1:5432, or --open with --open-sql for everybody.',
  )
}

/** Options of the door for PostgreSQL; undefined without its setting. */
export function postgresOf(
  { postgres }: Settings,
  { cancels, isWorker = false }: ServerHooks,
  { open, certificate, most = 2 * MOST_CONNECTIONS }: Process,
): PostgresOptions | undefined {
  if (postgres === null) return undefined
  return {
    ...{ ...postgres, open, certificate, mostConnections: Math.min(MOST_CONNECTIONS, most >> 1) },
    ...(isWorker && cancels && { cancelElsewhere: cancels.send, onListen: cancels.follow }),
  }
}
