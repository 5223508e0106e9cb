import type { Session } from './session.ts'
import { type Sql, sql } from './sql.ts'

/** Makes a table of the different keys of some rows, in the order of their SHA-256: `key` and, from 0 on, `place`. */
export async function numberKeys(session: Session, table: Sql, key: Sql, rows: Sql): Promise<void> {
  await session.run(
    sql`CREATE OR REPLACE TEMP TABLE ${table} AS
        SELECT key, (row_number() OVER (ORDER BY sha256(key)) - 1)::INTEGER AS place
        FROM (SELECT DISTINCT rows.${key} AS key FROM ${rows} WHERE rows.${key} IS NOT NULL)`,
  )
}
