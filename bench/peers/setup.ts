import { fileURLToPath } from 'node:url'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import { readSettings } from '../../src/services/settings/settings.ts'
import { copyLake } from '../support/copy-lake.ts'
import { type Load, startLoad } from '../support/load.ts'
import { makeLake } from '../support/make-lake.ts'
import type { Workload } from '../support/network.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { bareServer, patient, type Serving, serveLake, startServing } from '../support/program.ts'
import { openRawDuckdb, type RawDuckdb } from '../support/raw-duckdb.ts'
import { startPgServer } from './pg-serving.ts'
import { loadLedger, lookupTables } from './postgres-ledger.ts'
import { loadShares, type PostgresTable, type ShareFile } from './postgres-tables.ts'
import { shareSources } from './share-sources.ts'

const fastifyServer = fileURLToPath(new URL('../support/fastify-server.mjs', import.meta.url))

/** Everything that answers. */
export interface Setup {
  readonly lake: string
  readonly at: Snapshot
  readonly files: readonly ShareFile[]
  /** The program, which remembers no answer. */
  readonly served: Serving
  /** The program as it comes. */
  readonly remembering: Serving
  /** The first with two workers. */
  readonly two: Serving
  readonly bare: Serving
  readonly fastify: Serving
  readonly load: Load
  readonly duckdb: DuckDBConnection
  readonly raw: RawDuckdb
  /** What stays undefined when PostgreSQL is not there. */
  readonly postgres:
    | { readonly server: Serving; readonly strong: PostgresTable; readonly version: string }
    | undefined
  readonly ingestSeconds: number | null
  readonly isCompacted: boolean
  close(): Promise<void>
}

/** Makes a lake of a network and a little ledger below `parent`, checks what it holds, and opens everything. */
export async function openSetup(
  parent: string,
  workload: Workload,
  made: string | undefined,
  say: (line: string) => void,
): Promise<Setup> {
  const { lake, at, ingestSeconds, isCompacted } =
    made === undefined ? await makeLake(parent, workload, say) : await copyLake(parent, made, workload, say)
  const files = at
    .table(iotRewardShares)
    .files.map(({ path, partition }) => ({ path, month: partition ?? '' }))
  const duckdb = await openDuckdb()
  const postgres = await openPostgres(duckdb, lake, at, files)
  if (postgres === undefined) say('PostgreSQL is not there, so O is left out')
  else say(`PostgreSQL ${postgres.version} is loaded`)
  const raw = await openRawDuckdb(readSettings({}, { lake }))
  const forgetting = ['--answer-memory-mb', '0', ...patient]
  const remembering = await serveLake(lake, ...patient)
  const served = await serveLake(lake, ...forgetting)
  const two = await serveLake(lake, '--workers', '2', ...forgetting)
  const bare = await startServing([bareServer])
  const fastify = await startServing([fastifyServer, JSON.stringify(await headersOf(served))])
  const load = startLoad()
  return {
    ...{ lake, at, files, served, remembering, two, bare, fastify, load, duckdb, raw, postgres },
    ...{ isCompacted, ingestSeconds },
    async close() {
      load.stop()
      raw.close()
      duckdb.closeSync()
      const servers = [served, remembering, two, bare, fastify, postgres?.server]
      await Promise.all(servers.map((server) => server?.stop()))
      postgres?.stop()
    },
  }
}

/** Headers of a reply, but for those that every server of Node sends. */
async function headersOf({ address }: Serving): Promise<Readonly<Record<string, string>>> {
  const { headers } = await fetch(
    `${address}/v1/net/l2/iot-reward-shares/totals?from=2025-01-01&to=2025-12-31`,
  )
  const own = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']
  return Object.fromEntries([...headers].filter(([name]) => !own.includes(name)))
}

async function openDuckdb(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  return connection
}

async function openPostgres(
  duckdb: DuckDBConnection,
  lake: string,
  at: Snapshot,
  files: readonly ShareFile[],
) {
  const postgres: Postgres | undefined = startPostgres()
  if (postgres === undefined) return undefined
  const strong = await loadShares(postgres, duckdb, files, await shareSources(lake, at))
  await loadLedger(postgres, duckdb, lake, lookupTables)
  const server = await startPgServer(postgres)
  return { strong, server, version: postgres.version, stop: () => postgres.stop() }
}
