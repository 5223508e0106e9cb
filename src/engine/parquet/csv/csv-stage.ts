import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ValueRange, valuesOfPartition } from '../../../catalog/partition.ts'
import type { Resource } from '../../../catalog/resource.ts'
import type { CsvStage } from '../../../write/ports/csv-stage.ts'
import { columnTypeOf, isInRange, scanPaths } from '../../duckdb/catalog-sql.ts'
import type { Session } from '../../duckdb/session.ts'
import { joined, name, type Sql, sql } from '../../duckdb/sql.ts'
import { writeParquetFile } from '../../duckdb/write-parquet.ts'
import { writeSorted } from '../pieces/sort-pieces.ts'
import { cellsOf } from './csv-columns.ts'
import { FAULT } from './csv-read.ts'
import { loadCsvFile } from './load-csv.ts'

/** Each CSV file becomes one unsorted Parquet file; writing sorts it. */
export function openDuckdbCsvStage(session: Session, resource: Resource): CsvStage {
  const cells = cellsOf(resource)
  const pathOf = (index: number) => join(session.spillFolder, `${resource.name}-${index}.csv.parquet`)
  const staged = new Set<string>()
  let rows = 0

  return {
    get rows() {
      return rows
    },

    async load(path, options) {
      const to = pathOf(options.index)
      staged.add(to)
      const read = await loadCsvFile({ session, resource, cells, path, to, options })
      for (const count of read.rows.values()) rows += count
      return read
    },

    async write(path, sources, partition) {
      const range = valuesOfPartition(resource, partition)
      const files = [...sources].map(([index, source]) => selectRows(resource, pathOf(index), source, range))
      if (files.length === 0) await writeParquetFile(session, resource, [], path)
      else await writeSorted(session, resource, joined(files, ' UNION ALL '), path)
    },

    async drop() {
      for (const path of staged) await rm(path, { force: true })
      staged.clear()
    },
  }
}

/** SELECT of the valid rows of a staged file in stored form. */
function selectRows(resource: Resource, path: string, source: string, range: ValueRange | null): Sql {
  const filled = [...cellsOf(resource).map(({ column }) => column), 'ordinal']
  const columns = Object.entries(resource.columns).map(([column, { kind }]) => {
    if (column === 'source_file') return sql`${source} AS ${name(column)}`
    const isFilled = filled.includes(column) || filled.includes(column.replace(/_exact$/, ''))
    return isFilled ? name(column) : sql`NULL::${columnTypeOf(kind)} AS ${name(column)}`
  })
  return sql`SELECT ${columns} FROM ${scanPaths([path], true)} WHERE ${FAULT} IS NULL AND ${isInRange(range)}`
}
