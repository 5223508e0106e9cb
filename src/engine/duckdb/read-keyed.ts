import type { DuckDBDataChunk } from '@duckdb/node-api'
import type { Value } from '../../catalog/column.ts'
import type { Resource, Row } from '../../catalog/resource.ts'
import { Integers, Texts } from '../../derive/vector.ts'
import type { KeyedBatch, KeyedRead, RowsByKey } from '../../lake/keyed-reader.ts'
import { groupColumns } from '../../lake/series.ts'
import { exactAndPlain, scanFiles, typeOf } from './catalog-sql.ts'
import type { Session } from './session.ts'
import { name, type Sql, sql } from './sql.ts'
import { columnsOfChunk } from './vectors-of-chunk.ts'

const SORTED = name('keyed rows')
const GROUPS = name('keyed groups')

/**
 * Rows sorted by the digest of their key, a data chunk at a time, with the columns that are not the same for a whole group.
 * They are sorted into a table first, which spills and throws; only what is there as a whole is streamed, since a stream that
 * breaks ends without an error. Errors: Error when rows are missing.
 */
export async function readKeyed(session: Session, resource: Resource, read: KeyedRead): Promise<RowsByKey> {
  const values = read.groups.map(
    ({ period, type, source }, id) => sql`(make_timestamptz(${period}), ${type}, ${source}, ${id}::INTEGER)`,
  )
  const shared = [...sharedColumns(resource), name('grouped')]
  await session.run(
    sql`CREATE OR REPLACE TEMP TABLE ${GROUPS} AS
        SELECT * FROM (VALUES ${values}) AS groups (${shared})`,
  )
  const common = await readCommon(session, resource, read)
  const varied = read.columns.filter((name) => common.some((row) => row[name] === undefined))
  await sortRows(session, resource, read, varied)
  await session.run(sql`DROP TABLE ${GROUPS}`)
  return { common, batches: readSorted(session, resource, varied) }
}

function sharedColumns(resource: Resource): readonly Sql[] {
  return Object.keys(groupColumns(resource)).map(name)
}

/** SELECT over the rows that are asked for, with their groups. */
function select(resource: Resource, read: KeyedRead, first: Sql, columns: readonly string[]) {
  const selected = columns.map((column) => sql`${selection(resource, column)} AS ${name(column)}`)
  return sql`SELECT ${[first, ...selected]} FROM ${scanFiles(resource, read.files)} AS rows
    JOIN ${GROUPS} AS groups USING (${sharedColumns(resource)})
    WHERE rows.${name(read.key)} IS NOT NULL`
}

async function sortRows(
  session: Session,
  resource: Resource,
  read: KeyedRead,
  columns: readonly string[],
): Promise<void> {
  const first = sql`substr(sha256(rows.${name(read.key)}), 1, ${read.digits}) AS keyed, groups.grouped`
  const steps = resource.order.map((step) => step.column).filter((column) => columns.includes(column))
  await session.run(
    sql`CREATE OR REPLACE TEMP TABLE ${SORTED} AS ${select(resource, read, first, columns)}
        ORDER BY ${[sql`keyed`, sql`grouped`, ...steps.map(name)]}`,
  )
}

/** Numbers of 64 bits, and decimals as text without padding. */
function selection(resource: Resource, column: string): Sql {
  const own = sql`rows.${name(column)}`
  const kind = resource.columns[column]?.kind ?? 'text'
  if (kind === 'amount') return sql`${own}::UBIGINT`
  if (kind === 'instant') return sql`epoch_us(${own})`
  return kind === 'decimal' ? exactAndPlain(resource, column, own) : sql`${own}::${typeOf(kind)}`
}

/** For each group what all its rows have in common, null included; a group without a row has nulls alone. */
async function readCommon(session: Session, resource: Resource, read: KeyedRead): Promise<readonly Row[]> {
  const { columns, groups } = read
  const isCommon = columns.map(
    (column) =>
      sql`count(${name(column)}) IN (0, count(*)) AND min(${name(column)}) IS NOT DISTINCT FROM max(${name(column)})`,
  )
  const least = columns.map((column) => sql`min(${name(column)})`)
  const tuples = await session.tuples(
    sql`SELECT grouped, ${[...isCommon, ...least]}
        FROM (${select(resource, read, sql`groups.grouped`, columns)}) AS rows GROUP BY grouped`,
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

async function* readSorted(
  session: Session,
  { columns: declared }: Resource,
  columns: readonly string[],
): AsyncGenerator<KeyedBatch> {
  try {
    const expected = await session.number(sql`SELECT count(*) FROM ${SORTED}`)
    const values = columns.map((column) =>
      // Half as long while they are sorted.
      declared[column]?.kind === 'amount' ? sql`${name(column)}::${typeOf('amount')}` : name(column),
    )
    const selected = [sql`keyed`, sql`grouped`, ...values]
    let read = 0
    for await (const chunk of session.chunks(sql`SELECT ${selected} FROM ${SORTED}`)) {
      read += chunk.rowCount
      yield toBatch(chunk, columns)
    }
    if (read !== expected) throw new Error(`${read} of ${expected} sorted rows could be read`)
  } finally {
    await session.run(sql`DROP TABLE IF EXISTS ${SORTED}`)
  }
}

function toBatch(chunk: DuckDBDataChunk, names: readonly string[]): KeyedBatch {
  const { keyed, grouped, ...columns } = columnsOfChunk(chunk, ['keyed', 'grouped', ...names])
  if (!(keyed instanceof Texts && grouped instanceof Integers))
    throw new Error('sorted rows came without their keys')
  return {
    digests: Buffer.from(Buffer.from(keyed.bytes.buffer).toString('latin1'), 'hex'),
    groups: grouped.items,
    columns,
  }
}
