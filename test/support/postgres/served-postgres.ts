import type { ServerOptions } from '../../../src/doors/build-server.ts'
import type { PostgresOptions } from '../../../src/doors/postgres/serve-postgres.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { servedSql } from '../../../src/services/sql.ts'
import { cleanUp } from '../clean-up.ts'
import { buildTestServer } from '../servers/build-test-server.ts'
import { type GatedServer, gatedServer } from '../servers/gated-server.ts'

interface Served<S> {
  readonly port: number
  readonly server: S
}

type More = Partial<ServerOptions> & { readonly door?: Partial<PostgresOptions> }

/** Serves clients of PostgreSQL with keys, over a lake. */
export async function gatedPostgres(lake: string, more: More = {}): Promise<Served<GatedServer>> {
  return await listening(
    lake,
    more,
    (options) => gatedServer(lake, { options }),
    ({ test }) => test.server.ready(),
  )
}

/** Serves clients of PostgreSQL without keys, over a lake whose commits are looked for now and then. */
export async function openPostgres(lake: string, more: More = {}, lookEveryMs = 60_000) {
  return await listening(
    lake,
    more,
    async (options) => {
      const server = await buildTestServer(lake, lookEveryMs, undefined, options)
      cleanUp(server.close)
      return server
    },
    ({ server }) => server.ready(),
  )
}

async function listening<S>(
  lake: string,
  { door, ...more }: More,
  open: (options: Partial<ServerOptions>) => Promise<S>,
  begin: (server: S) => unknown,
): Promise<Served<S>> {
  const sql = servedSql(readSettings({}, { lake, engine_memory_mb: '512', engine_threads: '2' }))
  cleanUp(sql.close)
  let port = 0
  const postgres: PostgresOptions = {
    ...{ host: '127.0.0.1', port: 0, open: sql.open, mostConnections: 600 },
    onListen: (listener) => {
      port = listener.port
    },
    ...door,
  }
  const server = await open({ openSql: sql.open, postgres, ...more })
  await begin(server)
  return { port, server }
}
