import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { sql } from './sql.ts'

const LIMITS_MB = [32, 33] as const

let connection: Promise<DuckDBConnection> | undefined
let turn = 0

async function openIdle(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1', memory_limit: '32MB' })
  return await instance.connect()
}

/**
 * Returns free memory to the system. The C library keeps memory that threads freed. DuckDB trims it when any instance
 * changes its memory limit, so an idle instance does that.
 */
export async function giveBackFreed(): Promise<void> {
  connection ??= openIdle().catch((error) => {
    connection = undefined
    throw error
  })
  turn += 1
  await (await connection).run(sql`SET memory_limit = ${`${LIMITS_MB[turn % 2]}MB`}`.text)
}
