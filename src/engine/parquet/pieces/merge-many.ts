import type { RowRange } from '../../../catalog/query/plan.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { type FileToRead, lacksOf, pathOf } from '../../../lake/facts/data-file.ts'
import { orderOf, scanFile, selectRows } from '../../duckdb/catalog-sql.ts'
import type { Session } from '../../duckdb/session.ts'
import { joined, name, type Sql, sql } from '../../duckdb/sql.ts'
import { compactedOptions, type ParquetPart, writeParquetFile } from '../../duckdb/write-parquet.ts'
import { divideFiles } from './divide-files.ts'
import { isIn } from './merge-pieces.ts'
import { isInPiece } from './sort-pieces.ts'

/** Copies row ranges of files, in order, to one file. */
export async function copyRanges(
  session: Session,
  resource: Resource,
  files: readonly FileToRead[],
  ranges: readonly RowRange[],
  to: string,
): Promise<void> {
  const byPath = new Map(files.map((file) => [pathOf(file), file]))
  const parts: ParquetPart[] = []
  for (const range of ranges) {
    const where = isIn(range, sql`file_row_number`)
    parts.push(await partOf(session, resource, byPath.get(range.file) ?? range.file, where))
  }
  const rows = ranges.reduce((sum, { first, end }) => sum + end - first, 0)
  await writeParquetFile(session, resource, parts, to, compactedOptions(resource, rows))
}

/**
 * Merges sorted files. Pieces by the leading column with rows of several files are sorted, one at a time: a full sort
 * of wide rows exceeds the writer's memory.
 */
export async function mergeMany(
  session: Session,
  resource: Resource,
  files: readonly FileToRead[],
  to: string,
): Promise<void> {
  const [lead] = resource.order
  if (lead === undefined) throw new Error(`${resource.name} has no order`)
  const parts: ParquetPart[] = []
  for (const piece of await divideFiles(session, resource, lead, files)) {
    const where = isInPiece(piece, name(lead.column))
    const [first, ...remaining] = piece.files
    if (first !== undefined && remaining.length === 0)
      parts.push(await partOf(session, resource, first, where))
    else {
      const selects = piece.files.map((file) => selectRows(resource, file, where))
      parts.push(sql`SELECT * FROM (${joined(selects, ' UNION ALL ')}) ORDER BY ${orderOf(resource)}`)
    }
  }
  await writeParquetFile(session, resource, parts, to)
}

/** Sorted rows of a file, or the file itself if complete. */
async function partOf(
  session: Session,
  resource: Resource,
  file: FileToRead,
  where: Sql,
): Promise<ParquetPart> {
  const part = selectRows(resource, file, where)
  if (lacksOf(file).length > 0) return part
  const outsideRows = sql`SELECT 1 FROM ${scanFile(resource, file)} WHERE NOT coalesce(${where}, false) LIMIT 1`
  return (await session.tuples(outsideRows)).length === 0 ? pathOf(file) : part
}
