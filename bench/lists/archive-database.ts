import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'

/** Columns of the archive's folders by their place, as anyone would declare them. */
const tables = {
  account_inventory:
    'address VARCHAR, balance BIGINT, nonce BIGINT, dc_balance BIGINT, dc_nonce BIGINT, security_balance BIGINT, ' +
    'security_nonce BIGINT, first_block BIGINT, last_block BIGINT, staked_balance BIGINT, mobile_balance BIGINT, ' +
    'iot_balance BIGINT',
  gateway_inventory:
    'address VARCHAR, owner VARCHAR, location VARCHAR, last_poc_challenge BIGINT, last_poc_onion_key_hash VARCHAR, ' +
    'witnesses VARCHAR, first_block BIGINT, last_block BIGINT, nonce BIGINT, name VARCHAR, first_timestamp VARCHAR, ' +
    'reward_scale VARCHAR, elevation INTEGER, gain INTEGER, location_hex VARCHAR, mode VARCHAR, payer VARCHAR',
  transactions: 'block BIGINT, hash VARCHAR, type VARCHAR, fields VARCHAR, time BIGINT',
  transaction_actors: 'actor VARCHAR, actor_role VARCHAR, transaction_hash VARCHAR, block BIGINT',
  packets:
    'block BIGINT, transaction_hash VARCHAR, time BIGINT, gateway VARCHAR, num_packets BIGINT, num_dcs BIGINT',
  rewards:
    'block BIGINT, transaction_hash VARCHAR, time BIGINT, account VARCHAR, gateway VARCHAR, amount BIGINT, type VARCHAR',
  dc_burns:
    'block BIGINT, transaction_hash VARCHAR, actor VARCHAR, type VARCHAR, amount BIGINT, oracle_price BIGINT, time BIGINT',
} as const

export type ArchiveTable = keyof typeof tables

export type ArchiveRow = Readonly<Record<string, unknown>>

/** The archive in a plain DuckDB database: nothing of ours has read it, so its answers are somebody else's. */
export interface ArchiveDatabase {
  select(query: string): Promise<readonly ArchiveRow[]>
  close(): void
}

/** Loads an archive; rows keep the order of their files as `rowid`. */
export async function loadArchive(archive: string, path: string): Promise<ArchiveDatabase> {
  const instance = await DuckDBInstance.create(path, { threads: '2', memory_limit: '4GB' })
  const connection = await instance.connect()
  for (const [table, columns] of Object.entries(tables)) {
    await connection.run(`CREATE TABLE ${table} (${columns})`)
    const folder = join(archive, 'blockchain-etl-export', table)
    const types = columns.split(', ').map((column) => {
      const [name, type] = column.split(' ')
      return `${name}: '${type}'`
    })
    for (const [index, name] of readdirSync(folder).sort().entries()) {
      // The first part has the header.
      await connection.run(
        `INSERT INTO ${table} SELECT * FROM read_csv('${join(folder, name)}', columns = {${types.join(', ')}}, ` +
          `auto_detect = false, header = ${index === 0}, delim = ',', quote = '"', escape = '"')`,
      )
    }
  }
  return {
    async select(query) {
      const reader = await connection.runAndReadAll(query)
      return reader.getRowObjectsJS() as readonly ArchiveRow[]
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}
