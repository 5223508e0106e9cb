import { fail } from '../../../base/errors.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { type FileToRead, pathOf } from '../../../lake/facts/data-file.ts'
import { orderOf, scanFile, selectRows } from '../../duckdb/catalog-sql.ts'
import { joined, name, type Sql, sql } from '../../duckdb/sql.ts'
import { writeParquetFile } from '../../duckdb/write-parquet.ts'
import { cutPiece, type FileRows, isIn, locateArrivals, type Merge, type MergePiece } from './merge-pieces.ts'

/** Merges two sorted files. Errors: `lake_damaged` if both have the same row. */
export async function mergeFiles(merge: Merge, to: string): Promise<void> {
  await refuseTwins(merge)
  await mergeSorted(merge, to)
}

/**
 * Merges two sorted files. Only pieces with arriving rows are sorted, one at a time: a full sort of wide rows exceeds
 * the writer's memory.
 */
export async function mergeSorted(merge: Merge, to: string): Promise<void> {
  const { session, resource, file } = merge
  const parts: Sql[] = []
  let rowsRead = 0
  for (const coarse of await locateArrivals(merge)) {
    if (rowsRead < coarse.old.first)
      parts.push(rowsOf(resource, file, { first: rowsRead, end: coarse.old.first }))
    for (const piece of await cutPiece(merge, coarse)) parts.push(sortPiece(merge, piece))
    rowsRead = coarse.old.end
  }
  parts.push(rowsOf(resource, file, { first: rowsRead, end: Number.MAX_SAFE_INTEGER }))
  await writeParquetFile(session, resource, parts, to)
}

function sortPiece({ resource, file, arriving }: Merge, piece: MergePiece): Sql {
  const both = [rowsOf(resource, file, piece.old), rowsOf(resource, arriving, piece.arriving)]
  return sql`SELECT * FROM (${joined(both, ' UNION ALL ')}) ORDER BY ${orderOf(resource)}`
}

function rowsOf(resource: Resource, file: FileToRead, rows: FileRows): Sql {
  return selectRows(resource, file, isIn(rows, sql`file_row_number`))
}

/** The order is total, so rows that compare equal are duplicates. */
async function refuseTwins({ session, resource, file, arriving }: Merge): Promise<void> {
  const keyComparisons = resource.order.map(
    ({ column }) => sql`old.${name(column)} IS NOT DISTINCT FROM new.${name(column)}`,
  )
  const [twin] = await session.tuples(
    sql`SELECT new.source_file, new.ordinal FROM ${scanFile(resource, file)} old
        JOIN ${scanFile(resource, arriving)} new ON ${joined(keyComparisons, ' AND ')} LIMIT 1`,
  )
  if (twin === undefined) return
  fail(
    'lake_damaged',
    `${pathOf(file)} already has message ${twin[1]} of ${twin[0]}, which is listed as refused too; nothing was ingested. ` +
      `Ingest that source again with --replace.`,
  )
}
