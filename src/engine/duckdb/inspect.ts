import { bigintOf, type Kind } from '../../catalog/column.ts'
import { amountColumns, type GroupColumns, type Resource } from '../../catalog/resource.ts'
import type { FileToRead } from '../../lake/data-file.ts'
import type { ColumnFacts, FileFacts, GroupFacts, SourceFacts } from '../../lake/file-writer.ts'
import { exact, scanFile } from './catalog-sql.ts'
import { toRow } from './duckdb-values.ts'
import { boundsOf, inspectChunks } from './inspect-chunks.ts'
import type { Selected } from './rows-of-result.ts'
import type { Session } from './session.ts'
import { name, sql } from './sql.ts'

/** Kinds whose least and most value would help nobody skip a file. */
const boundless: readonly Kind[] = ['boolean', 'bytes', 'texts', 'json', 'object']

/** Reads a written file back: its counts and sums per source, and the bounds of every column. */
export async function inspect(session: Session, resource: Resource, file: FileToRead): Promise<FileFacts> {
  const sources = await inspectSources(session, resource, file)
  return {
    rows: sources.reduce((sum, source) => sum + source.rows, 0),
    sources,
    columns: await inspectColumns(session, resource, file),
    chunks:
      resource.access === undefined ? [] : await inspectChunks(session, resource, resource.access, file),
  }
}

async function inspectSources(
  session: Session,
  resource: Resource,
  file: FileToRead,
): Promise<readonly SourceFacts[]> {
  const { statistics } = resource
  const keys = ['source_file', ...(statistics === undefined ? [] : [statistics.period, statistics.type])]
  const selectedKeys = keys.map((key) => sql`${exact(resource, key)} AS ${name(key)}`)
  const amounts = statistics === undefined ? [] : amountColumns(resource)
  const sums = amounts.map((amount) => sql`sum(${name(amount)})::HUGEINT AS ${name(`sum ${amount}`)}`)
  const counts = sql`count(*) AS rows, min(file_row_number) AS first, max(file_row_number) AS last`
  const rows = await session.rows(
    sql`SELECT ${[...selectedKeys, counts, ...sums]} FROM ${scanFile(resource, file)}
        GROUP BY ${keys.map(name)}`,
  )
  return [...new Set(rows.map((row) => String(row.source_file)))].map((source_file) => {
    const own = rows.filter((row) => row.source_file === source_file)
    return {
      source_file,
      rows: own.reduce((sum, row) => sum + Number(row.rows), 0),
      groups: statistics === undefined ? [] : own.map((row) => toGroup(row, statistics, amounts)),
    }
  })
}

/** Columns without any value in the group have no sum. */
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

async function inspectColumns(
  session: Session,
  resource: Resource,
  file: FileToRead,
): Promise<Readonly<Record<string, ColumnFacts>>> {
  const columns = Object.entries(resource.columns)
  const facts = columns.flatMap(([column, { kind }]) => {
    const nulls = sql`count(*) - count(${name(column)}) AS ${name(`nulls ${column}`)}`
    return [nulls, ...(boundless.includes(kind) ? [] : boundsOf(resource, column))]
  })
  const [row = {}] = await session.rows(sql`SELECT ${facts} FROM ${scanFile(resource, file)}`)
  const boundOf = (column: string, label: string) =>
    toRow(resource, { [column]: row[`${label} ${column}`] ?? null })[column] ?? null
  return Object.fromEntries(
    columns.map(([column]): [string, ColumnFacts] => {
      const nulls = Number(row[`nulls ${column}`])
      return [column, { nulls, least: boundOf(column, 'least'), most: boundOf(column, 'most') }]
    }),
  )
}
