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
 * Gives memory that is free back to the system. What statements freed stays with the C library otherwise, for the threads that
 * ran them. DuckDB has it trimmed when a limit of memory changes, whichever DuckDB of the process that is; so one that is never
 * asked anything is there for it.
 */
export async function giveBackFreed(): Promise<void> {
  connection ??= openIdle().catch((error) => {
    connection = undefined
    throw error
  })
  turn += 1
  await (await connection).run(sql`SET memory_limit = ${`${LIMITS_MB[turn % 2]}MB`}`.text)
}
