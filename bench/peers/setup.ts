import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import type { Snapshot } from '../../src/lake/snapshot.ts'
import { readSettings } from '../../src/settings.ts'
import { type Load, startLoad } from '../support/load.ts'
import { makeLake } from '../support/make-lake.ts'
import type { Workload } from '../support/network.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { program, type Serving, startServing } from '../support/program.ts'
import { openRawDuckdb, type RawDuckdb } from '../totals/raw-duckdb.ts'
import { loadPostgres, type PostgresTable } from './postgres-tables.ts'

const bareServer = fileURLToPath(new URL('../support/bare-server.mjs', import.meta.url))
const pgServer = fileURLToPath(new URL('pg-server.mjs', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))

/** A file of the IoT shares of a lake. */
export interface ShareFile {
  readonly path: string
  readonly month: string
}

/** Everything that answers. */
export interface Setup {
  readonly lake: string
  readonly at: Snapshot
  readonly files: readonly ShareFile[]
  /** The program, which remembers no answer. */
  readonly served: Serving
  /** The program as it comes. */
  readonly remembering: Serving
  readonly bare: Serving
  readonly load: Load
  readonly duckdb: DuckDBConnection
  readonly raw: RawDuckdb
  /** What stays undefined when PostgreSQL is not there. */
  readonly postgres:
    | { readonly server: Serving; readonly tables: Tables; readonly version: string }
    | undefined
  readonly ingestSeconds: number
  readonly isCompacted: boolean
  close(): Promise<void>
}

type Tables = { readonly original: PostgresTable; readonly strong: PostgresTable }

/** Makes a lake of a network and a little ledger below `parent`, checks what it holds, and opens everything. */
export async function openSetup(
  parent: string,
  workload: Workload,
  say: (line: string) => void,
): Promise<Setup> {
  const { lake, at, ingestSeconds, isCompacted } = await makeLake(parent, workload, say)
  const files = at
    .table(iotRewardShares)
    .files.map(({ path, partition }) => ({ path, month: partition ?? '' }))
  const duckdb = await openDuckdb()
  const postgres = await openPostgres(duckdb, files)
  if (postgres === undefined) say('PostgreSQL is not there, so O and O strong are left out')
  else say(`PostgreSQL ${postgres.version} is loaded`)
  const raw = await openRawDuckdb(readSettings({}, { lake }))
  const serve = [program, 'serve', '--lake', lake, '--port', '0', '--workers', '1']
  const remembering = await startServing(serve)
  const served = await startServing([...serve, '--answer-memory-mb', '0'])
  const bare = await startServing([bareServer])
  const load = startLoad()
  return {
    ...{ lake, at, files, served, remembering, bare, load, duckdb, raw, isCompacted, postgres },
    ingestSeconds,
    async close() {
      load.stop()
      raw.close()
      duckdb.closeSync()
      await Promise.all([served.stop(), remembering.stop(), bare.stop(), postgres?.server.stop()])
      postgres?.stop()
    },
  }
}

async function openDuckdb(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  return connection
}

async function openPostgres(duckdb: DuckDBConnection, files: readonly ShareFile[]) {
  const postgres: Postgres | undefined = startPostgres()
  if (postgres === undefined) return undefined
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, stdio: 'ignore' })
  const tables = await loadPostgres(postgres, duckdb, files)
  const server = await startServing([pgServer, postgres.host, postgres.user])
  return { tables, server, version: postgres.version, stop: () => postgres.stop() }
}
