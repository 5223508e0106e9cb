import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api'
import { JSDuckDBValueConverter } from '@duckdb/node-api'
import type { Value } from '../../catalog/column.ts'
import type { Resource, Row } from '../../catalog/resource.ts'
import type { KeyedBatch, KeyedRead, KeyedRows } from '../../lake/row-writer.ts'
import { columnTypes, filePattern, identifier, literal } from './duckdb-dialect.ts'

const SORTED = 'keyed_rows'
const GROUPS = 'keyed_groups'

/**
 * Rows sorted by the digest of their key, a data chunk at a time. They are sorted into a table first, which spills and throws;
 * only what is there as a whole is streamed, since a stream that breaks ends without a word. Errors: Error when rows are missing.
 */
export async function readKeyed(
  connection: DuckDBConnection,
  resource: Resource,
  read: KeyedRead,
): Promise<KeyedRows> {
  await sortRows(connection, resource, read)
  const { common, varied } = await readCommon(connection, read.columns, read.groups.length)
  return { common, batches: readSorted(connection, varied) }
}

async function sortRows(
  connection: DuckDBConnection,
  { columns: declared, order }: Resource,
  { key, digits, columns, files, groups }: KeyedRead,
): Promise<void> {
  const values = groups.map(
    ({ end_period, reward_type, source }, id) =>
      `(make_timestamptz(${end_period}), ${literal(reward_type)}, ${literal(source)}, ${id}::INTEGER)`,
  )
  const paths = files.map((file) => literal(filePattern(file))).join(', ')
  const selected = columns.map((name) => `${selection(name, declared)} AS ${identifier(name)}`)
  const steps = order.map((step) => step.column).filter((name) => columns.includes(name))
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${GROUPS} AS ` +
      `SELECT * FROM (VALUES ${values.join(', ')}) AS groups (end_period, reward_type, source_file, id)`,
  )
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${SORTED} AS ` +
      `SELECT substr(sha256(rows.${identifier(key)}), 1, ${digits}) AS keyed, groups.id AS grouped, ` +
      `${selected.join(', ')} FROM read_parquet([${paths}], hive_partitioning = false) AS rows ` +
      `JOIN ${GROUPS} AS groups USING (end_period, reward_type, source_file) ` +
      `WHERE rows.${identifier(key)} IS NOT NULL ORDER BY ${['keyed', 'grouped', ...steps.map(identifier)].join(', ')}`,
  )
  await connection.run(`DROP TABLE ${GROUPS}`)
}

/** Numbers of 64 bits, and decimals as text without padding. */
function selection(name: string, declared: Resource['columns']): string {
  const column = `rows.${identifier(name)}`
  const kind = declared[name]?.kind ?? 'text'
  if (kind === 'amount') return `${column}::UBIGINT`
  if (kind === 'instant') return `epoch_us(${column})`
  return kind === 'decimal' ? `rtrim(rtrim(${column}::VARCHAR, '0'), '.')` : `${column}::${columnTypes[kind]}`
}

interface Common {
  readonly common: readonly Row[]
  /** Columns in which the rows of some group differ. */
  readonly varied: readonly string[]
}

async function readCommon(
  connection: DuckDBConnection,
  columns: readonly string[],
  groups: number,
): Promise<Common> {
  const isCommon = columns.map(
    (name) =>
      `count(${identifier(name)}) IN (0, count(*)) AND ` +
      `min(${identifier(name)}) IS NOT DISTINCT FROM max(${identifier(name)})`,
  )
  const least = columns.map((name) => `min(${identifier(name)})`)
  const reader = await connection.runAndReadAll(
    `SELECT grouped, ${[...isCommon, ...least].join(', ')} FROM ${SORTED} GROUP BY grouped`,
  )
  const found = new Map(
    reader.getRowsJS().map((values) => {
      const own = columns.flatMap((name, place): (readonly [string, Value])[] =>
        values[1 + place] === true ? [[name, values[1 + columns.length + place] as Value]] : [],
      )
      return [Number(values[0]), Object.fromEntries(own)]
    }),
  )
  const rows = [...found.values()]
  return {
    common: Array.from({ length: groups }, (_, group) => found.get(group) ?? nothing(columns)),
    varied: columns.filter((name) => rows.some((row) => row[name] === undefined)),
  }
}

/** A group without a row that has a key. */
const nothing = (columns: readonly string[]): Row => Object.fromEntries(columns.map((name) => [name, null]))

async function* readSorted(
  connection: DuckDBConnection,
  columns: readonly string[],
): AsyncGenerator<KeyedBatch> {
  try {
    const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${SORTED}`)
    const expected = counted.getRows()[0]?.[0]
    const selected = ['keyed', 'grouped', ...columns.map(identifier)].join(', ')
    const stream = await connection.stream(`SELECT ${selected} FROM ${SORTED}`)
    let read = 0n
    for (let chunk = await stream.fetchChunk(); chunk?.rowCount; chunk = await stream.fetchChunk()) {
      read += BigInt(chunk.rowCount)
      yield toBatch(chunk, columns)
    }
    if (read !== expected) throw new Error(`${read} of ${expected} sorted rows could be read`)
  } finally {
    await connection.run(`DROP TABLE IF EXISTS ${SORTED}`)
  }
}

function toBatch(chunk: DuckDBDataChunk, columns: readonly string[]): KeyedBatch {
  return {
    keys: chunk.getColumnValues(0) as readonly string[],
    groups: chunk.getColumnValues(1) as readonly number[],
    columns: Object.fromEntries(
      columns.map((name, place) => [
        name,
        chunk.convertColumnValues(2 + place, JSDuckDBValueConverter) as readonly Value[],
      ]),
    ),
  }
}
