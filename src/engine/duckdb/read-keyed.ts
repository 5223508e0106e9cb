import { type DuckDBDataChunk, JSDuckDBValueConverter } from '@duckdb/node-api'
import type { Value } from '../../catalog/column.ts'
import type { Resource, Row } from '../../catalog/resource.ts'
import type { KeyedBatch, KeyedRead, RowsByKey } from '../../lake/keyed-reader.ts'
import { groupColumns } from '../../lake/series.ts'
import { columnTypes, identifier, literal } from './duckdb-dialect.ts'
import { scanFiles } from './scan-files.ts'
import type { Session } from './session.ts'

const SORTED = 'keyed_rows'
const GROUPS = 'keyed_groups'

/**
 * Rows sorted by the digest of their key, a data chunk at a time, with the columns that are not the same for a whole group.
 * They are sorted into a table first, which spills and throws; only what is there as a whole is streamed, since a stream that
 * breaks ends without a word. Errors: Error when rows are missing.
 */
export async function readKeyed(session: Session, resource: Resource, read: KeyedRead): Promise<RowsByKey> {
  const values = read.groups.map(
    ({ period, type, source }, id) =>
      `(make_timestamptz(${period}), ${literal(type)}, ${literal(source)}, ${id}::INTEGER)`,
  )
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${GROUPS} AS ` +
      `SELECT * FROM (VALUES ${values.join(', ')}) AS groups (${sharedColumns(resource)}, grouped)`,
  )
  const common = await readCommon(session, resource, read)
  const varied = read.columns.filter((name) => common.some((row) => row[name] === undefined))
  await sortRows(session, resource, read, varied)
  await session.run(`DROP TABLE ${GROUPS}`)
  return { common, batches: readSorted(session, varied) }
}

function sharedColumns(resource: Resource): string {
  return Object.keys(groupColumns(resource)).map(identifier).join(', ')
}

/** SELECT over the rows that are asked for, with their groups. */
function select(resource: Resource, read: KeyedRead, first: string, columns: readonly string[]) {
  const selected = columns.map((name) => `${selection(name, resource.columns)} AS ${identifier(name)}`)
  return (
    `SELECT ${[first, ...selected].join(', ')} FROM ${scanFiles(resource, read.files)} AS rows ` +
    `JOIN ${GROUPS} AS groups USING (${sharedColumns(resource)}) ` +
    `WHERE rows.${identifier(read.key)} IS NOT NULL`
  )
}

async function sortRows(
  session: Session,
  resource: Resource,
  read: KeyedRead,
  columns: readonly string[],
): Promise<void> {
  const first = `substr(sha256(rows.${identifier(read.key)}), 1, ${read.digits}) AS keyed, groups.grouped`
  const steps = resource.order.map((step) => step.column).filter((name) => columns.includes(name))
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${SORTED} AS ${select(resource, read, first, columns)} ` +
      `ORDER BY ${['keyed', 'grouped', ...steps.map(identifier)].join(', ')}`,
  )
}

/** Numbers of 64 bits, and decimals as text without padding. */
function selection(name: string, declared: Resource['columns']): string {
  const column = `rows.${identifier(name)}`
  const kind = declared[name]?.kind ?? 'text'
  if (kind === 'amount') return `${column}::UBIGINT`
  if (kind === 'instant') return `epoch_us(${column})`
  return kind === 'decimal' ? `rtrim(rtrim(${column}::VARCHAR, '0'), '.')` : `${column}::${columnTypes[kind]}`
}

/** For each group what all its rows have in common, null included; a group without a row has nulls alone. */
async function readCommon(session: Session, resource: Resource, read: KeyedRead): Promise<readonly Row[]> {
  const { columns, groups } = read
  const isCommon = columns.map(
    (name) =>
      `count(${identifier(name)}) IN (0, count(*)) AND ` +
      `min(${identifier(name)}) IS NOT DISTINCT FROM max(${identifier(name)})`,
  )
  const least = columns.map((name) => `min(${identifier(name)})`)
  const tuples = await session.tuples(
    `SELECT grouped, ${[...isCommon, ...least].join(', ')} ` +
      `FROM (${select(resource, read, 'groups.grouped', columns)}) AS rows GROUP BY grouped`,
  )
  const common: Row[] = groups.map(() => Object.fromEntries(columns.map((name) => [name, null])))
  for (const [group, ...values] of tuples) {
    const own = columns.flatMap((name, place): (readonly [string, Value])[] =>
      values[place] === true ? [[name, values[columns.length + place] as Value]] : [],
    )
    common[Number(group)] = Object.fromEntries(own)
  }
  return common
}

async function* readSorted(session: Session, columns: readonly string[]): AsyncGenerator<KeyedBatch> {
  try {
    const expected = await session.number(`SELECT count(*) FROM ${SORTED}`)
    const selected = ['keyed', 'grouped', ...columns.map(identifier)].join(', ')
    let read = 0
    for await (const chunk of session.chunks(`SELECT ${selected} FROM ${SORTED}`)) {
      read += chunk.rowCount
      yield toBatch(chunk, columns)
    }
    if (read !== expected) throw new Error(`${read} of ${expected} sorted rows could be read`)
  } finally {
    await session.run(`DROP TABLE IF EXISTS ${SORTED}`)
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
