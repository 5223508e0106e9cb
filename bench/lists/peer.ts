import { DuckDBInstance } from '@duckdb/node-api'
import { startPgServer } from '../peers/pg-serving.ts'
import { ledgerTables, loadLedger } from '../peers/postgres-ledger.ts'
import { startPostgres } from '../support/postgres.ts'
import type { Serving } from '../support/program.ts'

/** PostgreSQL with the tables of a ledger and an HTTP server before it. */
export interface Peer {
  readonly server: Serving
  readonly version: string
  readonly loadSeconds: number
  stop(): Promise<void>
}

/** Undefined where PostgreSQL is not there. */
export async function openPeer(lake: string): Promise<Peer | undefined> {
  const postgres = startPostgres()
  if (postgres === undefined) return undefined
  const began = performance.now()
  const instance = await DuckDBInstance.create(':memory:')
  const duckdb = await instance.connect()
  await duckdb.run("SET TimeZone = 'UTC'")
  await loadLedger(postgres, duckdb, lake, ledgerTables)
  duckdb.closeSync()
  instance.closeSync()
  const loadSeconds = (performance.now() - began) / 1000
  const server = await startPgServer(postgres)
  return {
    ...{ server, loadSeconds, version: postgres.version },
    async stop() {
      await server.stop()
      postgres.stop()
    },
  }
}
