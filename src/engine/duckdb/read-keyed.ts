import type { DuckDBConnection } from '@duckdb/node-api'
import type { KeyedBatch, KeyedRead } from '../../lake/row-writer.ts'
import { filePattern, identifier, literal } from './duckdb-dialect.ts'

const SORTED = 'keyed_rows'
const GROUPS = 'keyed_groups'

/**
 * Rows sorted by key, a data chunk at a time. They are sorted into a table first, which spills and throws; only what is
 * there as a whole is streamed, since a stream that breaks ends without a word. Errors: Error when rows are missing.
 */
export async function* readKeyed(
  connection: DuckDBConnection,
  { column, amounts, files, groups }: KeyedRead,
): AsyncIterable<KeyedBatch> {
  const values = groups.map(
    ({ end_period, reward_type, source }, id) =>
      `(make_timestamptz(${end_period}), ${literal(reward_type)}, ${literal(source)}, ${id}::UINTEGER)`,
  )
  const paths = files.map((file) => literal(filePattern(file))).join(', ')
  const selected = amounts.map(
    (name) => `coalesce(rows.${identifier(name)}, 0)::UBIGINT AS ${identifier(name)}`,
  )
  const isWorthwhile = amounts.map((name) => `rows.${identifier(name)} > 0`).join(' OR ')
  try {
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${GROUPS} AS ` +
        `SELECT * FROM (VALUES ${values.join(', ')}) AS groups (end_period, reward_type, source_file, id)`,
    )
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${SORTED} AS ` +
        `SELECT rows.${identifier(column)} AS key, groups.id AS id, ${selected.join(', ')} ` +
        `FROM read_parquet([${paths}], hive_partitioning = false) AS rows ` +
        `JOIN ${GROUPS} AS groups USING (end_period, reward_type, source_file) ` +
        `WHERE rows.${identifier(column)} IS NOT NULL AND (${isWorthwhile}) ORDER BY key, id`,
    )
    const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${SORTED}`)
    const expected = counted.getRows()[0]?.[0]
    const stream = await connection.stream(`SELECT * FROM ${SORTED}`)
    let read = 0n
    for (let chunk = await stream.fetchChunk(); chunk?.rowCount; chunk = await stream.fetchChunk()) {
      const { rowCount } = chunk
      const [keys, ids, ...numbers] = Array.from({ length: amounts.length + 2 }, (_, index) =>
        chunk?.getColumnValues(index),
      )
      read += BigInt(rowCount)
      yield {
        keys: keys as readonly string[],
        groups: Uint32Array.from(ids as readonly number[]),
        amounts: numbers.map((values) => BigUint64Array.from(values as readonly bigint[])),
      }
    }
    if (read !== expected) throw new Error(`${read} of ${expected} sorted rows could be read`)
  } finally {
    await connection.run(`DROP TABLE IF EXISTS ${SORTED}`)
    await connection.run(`DROP TABLE IF EXISTS ${GROUPS}`)
  }
}
