import type { DuckDBDataChunk } from '@duckdb/node-api'
import type { Value } from '../../catalog/column.ts'
import type { Resource, Row } from '../../catalog/resource.ts'
import { Integers } from '../../derive/vector.ts'
import type { KeyedBatch, KeyedRead, RowsByKey } from '../../lake/keyed-reader.ts'
import { groupColumns } from '../../lake/series.ts'
import { exactAndPlain, scanFiles } from './catalog-sql.ts'
import { numberKeys } from './number-keys.ts'
import type { Session } from './session.ts'
import { name, type Sql, sql } from './sql.ts'
import { columnsOfChunk } from './vectors-of-chunk.ts'

const GROUPS = name('keyed groups')
const KEYS = name('keys of rows')
const GATHERED = name('gathered rows')
const SORTED = name('keyed rows')

/**
 * Rows sorted by the digest of their key, a data chunk at a time, with the columns that are not the same for a whole group.
 * They are sorted into a table first, which spills and throws; only what is there as a whole is streamed, since a stream that
 * breaks ends without an error. Values stay as they lie in files: to cast an amount takes
 * five times as long as to read it. Errors: Error when rows are missing.
 */
export async function readKeyed(session: Session, resource: Resource, read: KeyedRead): Promise<RowsByKey> {
  const values = read.groups.map(
    ({ period, type, source }, id) => sql`(make_timestamptz(${period}), ${type}, ${source}, ${id}::INTEGER)`,
  )
  const shared = Object.keys(groupColumns(resource)).map(name)
  await session.run(
    sql`CREATE OR REPLACE TEMP TABLE ${GROUPS} AS
        SELECT * FROM (VALUES ${values}) AS groups (${[...shared, name('grouped')]})`,
  )
  const rows = sql`${scanFiles(resource, read.files)} AS rows JOIN ${GROUPS} AS groups USING (${shared})`
  await numberKeys(session, KEYS, name(read.key), rows)
  const common = await readCommon(session, resource, read, rows)
  const varied = read.columns.filter((name) => common.some((row) => row[name] === undefined))
  await gatherRows(session, read.key, varied, rows)
  const [keys = []] = await session.columns<readonly [string[]]>(sql`SELECT key FROM ${KEYS} ORDER BY place`)
  for (const table of [GROUPS, KEYS]) await session.run(sql`DROP TABLE ${table}`)
  await sortRows(session, resource, varied)
  return { common, keys, batches: readSorted(session, varied) }
}

/** Sorting has all the memory when files and keys are done with. */
async function gatherRows(
  session: Session,
  key: string,
  columns: readonly string[],
  rows: Sql,
): Promise<void> {
  const selected = columns.map((column) => sql`rows.${name(column)}`)
  await session.run(
    sql`CREATE OR REPLACE TEMP TABLE ${GATHERED} AS
        SELECT ${[sql`keys.place`, sql`groups.grouped`, ...selected]}
        FROM ${rows} JOIN ${KEYS} AS keys ON rows.${name(key)} = keys.key`,
  )
}

async function sortRows(session: Session, resource: Resource, columns: readonly string[]): Promise<void> {
  const steps = resource.order.map((step) => step.column).filter((column) => columns.includes(column))
  await session.run(
    sql`CREATE OR REPLACE TEMP TABLE ${SORTED} AS
        SELECT * FROM ${GATHERED} ORDER BY ${[sql`place`, sql`grouped`, ...steps.map(name)]}`,
  )
  await session.run(sql`DROP TABLE ${GATHERED}`)
}

/** For each group what all its rows have in common, null included; a group without a row has nulls alone. */
async function readCommon(
  session: Session,
  resource: Resource,
  { key, columns, groups }: KeyedRead,
  rows: Sql,
): Promise<readonly Row[]> {
  const isCommon = columns.map(
    (column) =>
      sql`count(rows.${name(column)}) IN (0, count(*)) AND min(rows.${name(column)}) IS NOT DISTINCT FROM max(rows.${name(column)})`,
  )
  const least = columns.map((column) => plain(resource, column, sql`min(rows.${name(column)})`))
  const tuples = await session.tuples(
    sql`SELECT groups.grouped, ${[...isCommon, ...least]} FROM ${rows}
        WHERE rows.${name(key)} IS NOT NULL GROUP BY groups.grouped`,
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

/** An expression of a column as a tuple holds it exactly. */
function plain(resource: Resource, column: string, expression: Sql): Sql {
  const kind = resource.columns[column]?.kind
  if (kind === 'amount') return sql`${expression}::UBIGINT`
  return kind === 'instant' ? sql`epoch_us(${expression})` : exactAndPlain(resource, column, expression)
}

async function* readSorted(session: Session, columns: readonly string[]): AsyncGenerator<KeyedBatch> {
  try {
    const expected = await session.number(sql`SELECT count(*) FROM ${SORTED}`)
    let read = 0
    for await (const chunk of session.chunks(
      sql`SELECT ${[sql`place`, sql`grouped`, ...columns.map(name)]} FROM ${SORTED}`,
    )) {
      read += chunk.rowCount
      yield toBatch(chunk, columns)
    }
    if (read !== expected) throw new Error(`${read} of ${expected} sorted rows could be read`)
  } finally {
    await session.run(sql`DROP TABLE IF EXISTS ${SORTED}`)
  }
}

function toBatch(chunk: DuckDBDataChunk, names: readonly string[]): KeyedBatch {
  const { place, grouped, ...columns } = columnsOfChunk(chunk, ['place', 'grouped', ...names])
  if (!(place instanceof Integers && grouped instanceof Integers))
    throw new Error('sorted rows came without their keys')
  return { keys: place.items, groups: grouped.items, columns }
}
