import { execFileSync, execSync } from 'node:child_process'
import type { Postgres } from '../support/postgres.ts'

/** Columns that the statements of the dashboard compare; each gets a B-tree. */
const indexes: Readonly<Record<string, readonly string[]>> = {
  earnings: ['day', 'name, day', 'hotspot, day', 'owner, day'],
  daily_earnings: ['day'],
  days: ['day'],
  hotspots: ['name', 'h3_res_4'],
}

/** Copies views by COPY from our server into tables of PostgreSQL, with B-trees. Errors: Error with what psql says. */
export function copyToPostgres(ours: string, postgres: Postgres): void {
  const ask = (statement: string) =>
    execFileSync('psql', ['-XAtc', statement, ours], { encoding: 'utf8' }).trim()
  const theirs = `psql -Xq -h ${postgres.host} -U ${postgres.user} -d postgres -v ON_ERROR_STOP=1`
  for (const [view, columns] of Object.entries(indexes)) {
    const declared = ask(
      `SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum) FROM pg_attribute
       WHERE attrelid = '${view}'::regclass AND attnum > 0`,
    )
    postgres.run(`CREATE UNLOGGED TABLE ${view} (${declared})`)
    execSync(
      `psql -Xc "COPY (SELECT * FROM ${view}) TO STDOUT" "${ours}" | ${theirs} -c "COPY ${view} FROM STDIN"`,
    )
    const made = columns.map((column) => `CREATE INDEX ON ${view} (${column});`)
    postgres.run(`${made.join('\n')} VACUUM ANALYZE ${view};`)
  }
}
