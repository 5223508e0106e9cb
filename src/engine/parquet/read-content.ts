import type { OrderStep, Resource } from '../../catalog/resource.ts'
import { type FileToRead, pathOf } from '../../lake/facts/data-file.ts'
import type { ContentFacts } from '../../write/ports/compaction-writer.ts'
import {
  binaryColumns,
  byFile,
  groupByClause,
  type Sweep,
  scanFile,
  selectColumns,
  sweepOf,
} from '../duckdb/catalog-sql.ts'
import { filePattern } from '../duckdb/duckdb-dialect.ts'
import { readFault } from '../duckdb/failures.ts'
import type { Session } from '../duckdb/session.ts'
import { name, type Sql, sql, textList } from '../duckdb/sql.ts'

/** Errors: `lake_damaged` when the file cannot be read. */
export async function readFileContent(
  session: Session,
  resource: Resource,
  file: FileToRead,
): Promise<ContentFacts> {
  const digest = sql`coalesce(sum(hash(${selectColumns(resource)})), 0)::HUGEINT`
  const content = sql`SELECT count(*), ${digest} FROM ${scanFile(resource, file)}`
  try {
    const [[rows, digest] = [0n, 0n]] = await session.tuples<[bigint, bigint]>(content)
    const misplaced = await countMisplaced(session, resource, sweepOf(resource, [file]))
    return { rows: Number(rows), digest, misplaced: misplaced.get(0) ?? 0 }
  } catch (error) {
    throw readFault(error, pathOf(file))
  }
}

/** Counts rows that do not follow their predecessor, by file index. */
export async function countMisplaced(
  session: Session,
  resource: Resource,
  { from, file, by }: Sweep,
): Promise<ReadonlyMap<number, number>> {
  const before = (index: number) => name(`before ${index}`)
  const { order } = resource
  const lagged = order.flatMap(({ column }, index) => {
    const columnName = name(column)
    return [columnName, sql`lag(${columnName}) OVER () AS ${before(index)}`]
  })
  const inOrder = order.reduceRight((later, step, index) => {
    const [columnName, last] = [name(step.column), before(index)]
    return sql`(${comesAfter(step, columnName, last)} OR (${columnName} IS NOT DISTINCT FROM ${last} AND ${later}))`
  }, sql`false`)
  const rows = await session.rows(
    sql`SELECT ${[file, sql`count(*) AS misplaced`]} FROM (SELECT ${[...by, ...lagged]}, file_row_number AS n FROM ${from})
        WHERE n > 0 AND NOT coalesce(${inOrder}, false)${groupByClause(by)}`,
  )
  return byFile(rows, ([row]) => Number(row?.misplaced))
}

/** Nulls come first in either direction. */
function comesAfter({ descending }: OrderStep, columnName: Sql, before: Sql): Sql {
  const compared = descending ? sql`${columnName} < ${before}` : sql`${columnName} > ${before}`
  return sql`coalesce(${compared}, ${before} IS NULL AND ${columnName} IS NOT NULL)`
}

/** Row groups of a file. Errors: `lake_damaged` when the file cannot be read. */
export function countRowGroups(session: Session, file: string): Promise<number> {
  const metadata = sql`SELECT num_row_groups FROM parquet_file_metadata(${filePattern(file)})`
  return numberOfFile(session, file, metadata)
}

/** True if a file has Bloom filters for BLOB columns, as older builds wrote them. Errors: the same. */
export async function hasBinaryFilters(session: Session, resource: Resource, file: string): Promise<boolean> {
  const columns = binaryColumns(resource)
  if (columns.length === 0) return false
  const filters = sql`SELECT count(*) FROM parquet_metadata(${filePattern(file)})
    WHERE bloom_filter_offset IS NOT NULL AND list_contains(${textList(columns)}, path_in_schema)`
  return (await numberOfFile(session, file, filters)) > 0
}

async function numberOfFile(session: Session, file: string, query: Sql): Promise<number> {
  try {
    return await session.number(query)
  } catch (error) {
    throw readFault(error, file)
  }
}
