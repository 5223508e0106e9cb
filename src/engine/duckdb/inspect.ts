import { bigintOf, type Kind } from '../../catalog/column.ts'
import { amountColumns, type GroupColumns, type Resource } from '../../catalog/resource.ts'
import type { ColumnFacts, FileFacts, GroupFacts, SourceFacts } from '../../lake/file-writer.ts'
import { duckdbDialect, identifier } from './duckdb-dialect.ts'
import { toRow } from './duckdb-values.ts'
import { boundsOf, inspectChunks } from './inspect-chunks.ts'
import type { Selected } from './rows-of-result.ts'
import { scanFile } from './scan-files.ts'
import type { Session } from './session.ts'

/** Kinds whose least and most value would help nobody skip a file. */
const boundless: readonly Kind[] = ['boolean', 'bytes', 'texts', 'json', 'object']

/** Reads a written file back: its counts and sums per source, and the bounds of every column. */
export async function inspect(session: Session, resource: Resource, path: string): Promise<FileFacts> {
  const sources = await inspectSources(session, resource, path)
  return {
    rows: sources.reduce((sum, source) => sum + source.rows, 0),
    sources,
    columns: await inspectColumns(session, resource, path),
    chunks:
      resource.access === undefined ? [] : await inspectChunks(session, resource, resource.access, path),
  }
}

async function inspectSources(
  session: Session,
  resource: Resource,
  path: string,
): Promise<readonly SourceFacts[]> {
  const { statistics } = resource
  const keys = ['source_file', ...(statistics === undefined ? [] : [statistics.period, statistics.type])]
  const selectedKeys = keys.map((name) => {
    return `${duckdbDialect.selected(identifier(name), resource.columns[name]?.kind ?? 'text')} AS ${identifier(name)}`
  })
  const amounts = statistics === undefined ? [] : amountColumns(resource)
  const sums = amounts.map((name) => `sum(${identifier(name)})::HUGEINT AS ${identifier(`sum ${name}`)}`)
  const counts = ['count(*) AS rows', 'min(file_row_number) AS first', 'max(file_row_number) AS last']
  const rows = await session.rows(
    `SELECT ${[...selectedKeys, ...counts, ...sums].join(', ')} FROM ${scanFile(resource, path)} ` +
      `GROUP BY ${keys.map(identifier).join(', ')}`,
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
  path: string,
): Promise<Readonly<Record<string, ColumnFacts>>> {
  const columns = Object.entries(resource.columns)
  const facts = columns.flatMap(([name, { kind }]) => {
    const nulls = `count(*) - count(${identifier(name)}) AS ${identifier(`nulls ${name}`)}`
    return [nulls, ...(boundless.includes(kind) ? [] : boundsOf(resource, name))]
  })
  const [row = {}] = await session.rows(`SELECT ${facts.join(', ')} FROM ${scanFile(resource, path)}`)
  const boundOf = (name: string, label: string) =>
    toRow(resource, { [name]: row[`${label} ${name}`] ?? null })[name] ?? null
  return Object.fromEntries(
    columns.map(([name]): [string, ColumnFacts] => [
      name,
      { nulls: Number(row[`nulls ${name}`]), least: boundOf(name, 'least'), most: boundOf(name, 'most') },
    ]),
  )
}
