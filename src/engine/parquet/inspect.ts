import { groupBy } from '../../base/maps.ts'
import { bigintOf, type Kind } from '../../catalog/column.ts'
import { amountColumns, type GroupColumns, type Resource } from '../../catalog/resource.ts'
import { type FileToRead, pathOf } from '../../lake/facts/data-file.ts'
import type { InspectedFile } from '../../lake/ports/content-reader.ts'
import type { ColumnFacts, FileFacts, GroupFacts, SourceFacts } from '../../lake/ports/file-writer.ts'
import { byFile, exact, groupByClause, type Sweep, sweepOf } from '../duckdb/catalog-sql.ts'
import { toRow } from '../duckdb/duckdb-values.ts'
import type { Selected } from '../duckdb/rows-of-result.ts'
import type { Session } from '../duckdb/session.ts'
import { name, sql } from '../duckdb/sql.ts'
import { boundsOf, inspectChunks } from './inspect-chunks.ts'
import { countMisplaced } from './read-content.ts'

/** Kinds whose bounds never help to skip a file. */
const boundless: readonly Kind[] = ['boolean', 'bytes', 'texts', 'json', 'object']

/** Inspects a written file: counts and sums per source, and bounds per column. */
export async function inspect(session: Session, resource: Resource, file: FileToRead): Promise<FileFacts> {
  const [facts] = await inspectFiles(session, resource, [file])
  if (facts === undefined) throw new Error(`${pathOf(file)} was not read`)
  return facts
}

/** Inspects files that lack the same columns, and checks their order. Errors: those of DuckDB. */
export async function inspectWithOrder(
  session: Session,
  resource: Resource,
  files: readonly FileToRead[],
): Promise<readonly InspectedFile[]> {
  const misplaced = await countMisplaced(session, resource, sweepOf(resource, files))
  const facts = await inspectFiles(session, resource, files)
  return facts.map((fileFacts, index) => ({ ...fileFacts, misplaced: misplaced.get(index) ?? 0 }))
}

/** With as many statements as for one file. */
async function inspectFiles(
  session: Session,
  resource: Resource,
  files: readonly FileToRead[],
): Promise<readonly FileFacts[]> {
  const sweep = sweepOf(resource, files)
  const sources = await inspectSources(session, resource, sweep)
  const columns = await inspectColumns(session, resource, sweep)
  const { access } = resource
  const chunks = access === undefined ? undefined : await inspectChunks(session, resource, access, sweep)
  return files.map((_, index) => {
    const fileSources = sources.get(index) ?? []
    return {
      rows: fileSources.reduce((sum, source) => sum + source.rows, 0),
      sources: fileSources,
      columns: columnsOf(resource, columns.get(index)),
      chunks: chunks?.get(index) ?? [],
    }
  })
}

/** Counts and sums by file index and source. */
export async function inspectSources(
  session: Session,
  resource: Resource,
  { from, file, by }: Sweep,
): Promise<ReadonlyMap<number, readonly SourceFacts[]>> {
  const { statistics } = resource
  const keys = ['source_file', ...(statistics === undefined ? [] : [statistics.period, statistics.type])]
  const selectedKeys = keys.map((key) => sql`${exact(resource, key)} AS ${name(key)}`)
  const amounts = statistics === undefined ? [] : amountColumns(resource)
  const sums = amounts.map((amount) => sql`sum(${name(amount)})::HUGEINT AS ${name(`sum ${amount}`)}`)
  const counts = sql`count(*) AS rows, min(file_row_number) AS first, max(file_row_number) AS last`
  const sourceRows = await session.rows(
    sql`SELECT ${[file, ...selectedKeys, counts, ...sums]} FROM ${from}${groupByClause([...by, ...keys.map(name)])}`,
  )
  return byFile(sourceRows, (rows) =>
    [...groupBy(rows, (row) => String(row.source_file))].map(([source_file, rowsOfSource]) => ({
      source_file,
      rows: rowsOfSource.reduce((sum, row) => sum + Number(row.rows), 0),
      groups: statistics === undefined ? [] : rowsOfSource.map((row) => toGroup(row, statistics, amounts)),
    })),
  )
}

/** A column without values in a group has no sum. */
function toGroup(row: Selected, { period, type }: GroupColumns, amounts: readonly string[]): GroupFacts {
  const present = amounts.filter((name) => row[`sum ${name}`] !== null)
  return {
    period: bigintOf(row[period]),
    type: String(row[type]),
    rows: Number(row.rows),
    first: Number(row.first),
    last: Number(row.last),
    sums: Object.fromEntries(present.map((name) => [name, bigintOf(row[`sum ${name}`])])),
  }
}

/** Nulls and bounds, one row per file with rows. */
async function inspectColumns(
  session: Session,
  resource: Resource,
  { from, file, by }: Sweep,
): Promise<ReadonlyMap<number, Selected | undefined>> {
  const facts = Object.entries(resource.columns).flatMap(([column, { kind }]) => {
    const nulls = sql`count(*) - count(${name(column)}) AS ${name(`nulls ${column}`)}`
    return [nulls, ...(boundless.includes(kind) ? [] : boundsOf(resource, column))]
  })
  const rows = await session.rows(sql`SELECT ${[file, ...facts]} FROM ${from}${groupByClause(by)}`)
  return byFile(rows, ([row]) => row)
}

function columnsOf(resource: Resource, row: Selected = {}): Readonly<Record<string, ColumnFacts>> {
  const boundOf = (column: string, label: string) =>
    toRow(resource, { [column]: row[`${label} ${column}`] ?? null })[column] ?? null
  return Object.fromEntries(
    Object.keys(resource.columns).map((column): [string, ColumnFacts] => {
      const nulls = Number(row[`nulls ${column}`] ?? 0)
      return [column, { nulls, least: boundOf(column, 'least'), most: boundOf(column, 'most') }]
    }),
  )
}
