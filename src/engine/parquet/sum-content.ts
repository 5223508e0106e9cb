import { bigintOf } from '../../catalog/column.ts'
import { amountColumns, groupedBy, type Resource } from '../../catalog/resource.ts'
import type { FileToRead } from '../../lake/facts/data-file.ts'
import type { KeyedGroup } from '../../lake/ports/content-reader.ts'
import { exact, scanFiles } from '../duckdb/catalog-sql.ts'
import type { Session } from '../duckdb/session.ts'
import { name, sql } from '../duckdb/sql.ts'

/** Errors: those of DuckDB for files that cannot be read. */
export async function sumKeyed(
  session: Session,
  resource: Resource,
  files: readonly FileToRead[],
): Promise<readonly KeyedGroup[]> {
  if (files.length === 0) return []
  const { period, type } = groupedBy(resource)
  const keys = [period, type, 'source_file']
  const amounts = amountColumns(resource)
  const sums = amounts.map(
    (amount) => sql`coalesce(sum(${name(amount)}), 0)::HUGEINT AS ${name(`sum ${amount}`)}`,
  )
  const selected = keys.map((key) => sql`${exact(resource, key)} AS ${name(`key ${key}`)}`)
  const rows = await session.rows(
    sql`SELECT ${[...selected, sql`count(*) AS rows`, ...sums]} FROM ${scanFiles(resource, files)}
        WHERE ${name(resource.keyed ?? '')} IS NOT NULL GROUP BY ${keys.map(name)}`,
  )
  return rows.map((row) => ({
    period: bigintOf(row[`key ${period}`]),
    type: String(row[`key ${type}`]),
    source: String(row['key source_file']),
    rows: Number(row.rows),
    sums: Object.fromEntries(amounts.map((amount) => [amount, bigintOf(row[`sum ${amount}`])])),
  }))
}

/** Errors: those of DuckDB for files that cannot be read. */
export async function countTwice(
  session: Session,
  resource: Resource,
  files: readonly FileToRead[],
): Promise<number> {
  const orderColumns = resource.order.map(({ column }) => name(column))
  return await session.number(
    sql`SELECT coalesce(sum(rows - 1), 0)::BIGINT FROM (
          SELECT count(*) AS rows FROM ${scanFiles(resource, files)} GROUP BY ${orderColumns} HAVING rows > 1)`,
  )
}
