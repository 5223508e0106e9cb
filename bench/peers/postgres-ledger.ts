import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Kind } from '../../src/catalog/column.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import { resources } from '../../src/catalog/resources.ts'
import type { Postgres } from '../support/postgres.ts'
import { program, runToEnd } from '../support/program.ts'
import { fillTable } from './fill-table.ts'

/** The columns of each table that a B-tree leads to, each of them followed by the order of the list. */
const searched: Readonly<Record<string, readonly string[]>> = {
  l1_accounts: ['address'],
  l1_gateways: ['address', 'owner_address', 'payer_address', 'name', 'location_hex'],
  l1_transactions: ['transaction_hash', 'block'],
  l1_transaction_actors: ['actor_address', 'transaction_hash', 'block'],
  l1_packets: ['gateway_address', 'transaction_hash', 'block'],
  l1_rewards: ['account_address', 'gateway_address', 'transaction_hash', 'block'],
  l1_dc_burns: ['actor_address', 'transaction_hash', 'block'],
  hotspots: ['asset_id', 'ecc_key'],
}

/** Tables of which one record is looked up. */
export const lookupTables = ['l1_accounts', 'l1_gateways', 'l1_transactions', 'hotspots'] as const
export const ledgerTables = Object.keys(searched).filter((name) => name !== 'hotspots')

const otherTypes: Readonly<Partial<Record<Kind, string>>> = {
  ...{ long: 'bigint', whole: 'bigint', seconds: 'bigint', cell: 'bigint', integer: 'integer' },
  ...{ decimal: 'numeric', instant: 'timestamptz', uuid: 'uuid', boolean: 'boolean' },
}

/** Loads tables of a lake from its own exports, which have the ids; names of source files become numbers in their order. */
export async function loadLedger(
  postgres: Postgres,
  duckdb: DuckDBConnection,
  lake: string,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const resource = resources.find((one) => one.name === name)
    if (resource === undefined) throw new Error(`there is no table ${name}`)
    const file = join(postgres.exchange, `${name}.parquet`)
    await runToEnd([program, 'export', name, '--lake', lake, '--out', file])
    postgres.run(`CREATE UNLOGGED TABLE ${name} (${columnsOf(resource)});`)
    const sources = `(SELECT source_file, row_number() OVER (ORDER BY source_file) AS source
      FROM (SELECT DISTINCT source_file FROM read_parquet('${file}')))`
    await fillTable(postgres, duckdb, name, [
      `SELECT rows.* EXCLUDE (source_file), source FROM read_parquet('${file}') AS rows JOIN ${sources} USING (source_file)`,
    ])
    rmSync(file)
    postgres.run(indexesOf(resource))
  }
}

function columnsOf({ columns }: Resource): string {
  const own = Object.entries(columns).filter(([name]) => name !== 'source_file' && name !== 'id')
  const typed = own.map(
    ([name, { kind, nullable }]) => `${name} ${otherTypes[kind] ?? 'text'}${nullable ? '' : ' NOT NULL'}`,
  )
  return ['id uuid NOT NULL', ...typed, 'source integer NOT NULL'].join(', ')
}

function indexesOf({ name, order }: Resource): string {
  const listed = order.map(({ column }) => (column === 'source_file' ? 'source' : column))
  const trees = (searched[name] ?? []).map((column) => {
    const columns = [column, ...listed.filter((one) => one !== column)]
    return `CREATE INDEX ON ${name} (${columns.join(', ')});`
  })
  const ids = lookupTables.some((one) => one === name) ? [`CREATE UNIQUE INDEX ON ${name} (id);`] : []
  return [...trees, ...ids, `VACUUM ANALYZE ${name};`].join('\n')
}
