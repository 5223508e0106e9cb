import type { Resource } from '../../../catalog/resource.ts'
import { joined, name, type Sql, sql } from '../../duckdb/sql.ts'
import { type CellKind, cellKinds } from './csv-cells.ts'

/** A cell of a line: its archive name, column and expression. */
export interface CsvCell {
  readonly name: string
  readonly column: string
  readonly sql: Sql
}

export function cellsOf({ name: table, arrival }: Resource): readonly CsvCell[] {
  if (arrival?.as !== 'csv') throw new Error(`${table} does not arrive as CSV`)
  return Object.entries(arrival.cells).map(([cell, column], index) => ({
    ...{ name: cell, column },
    sql: name(`cell ${index}`),
  }))
}

function kindOf(resource: Resource, column: string): CellKind {
  const kind = cellKinds[resource.columns[column]?.kind ?? 'bytes']
  if (kind === undefined) throw new Error(`no cell of the archive can fill ${resource.name}.${column}`)
  return kind
}

/** Number of the first invalid cell; null if all are valid. */
export function firstFault(resource: Resource, cells: readonly CsvCell[]): Sql {
  const cases = cells.map(({ column, sql: cell }, index) => {
    const { isSound, empty } = kindOf(resource, column)
    const mayBeEmpty = resource.columns[column]?.nullable || empty !== undefined
    const whenEmpty = mayBeEmpty ? sql`${cell} IS NOT NULL AND` : sql`${cell} IS NULL OR`
    return sql`WHEN ${whenEmpty} NOT ${isSound(cell)} THEN ${index}`
  })
  return sql`CASE ${joined(cases, ' ')} END`
}

/** Stored columns filled by cells, including the twin of a decimal. */
export function storedCells(resource: Resource, cells: readonly CsvCell[]): readonly Sql[] {
  return cells.flatMap(({ column, sql: cell }) => {
    const { value, empty } = kindOf(resource, column)
    const isNullable = resource.columns[column]?.nullable ?? true
    const stored = isNullable || empty === undefined ? value(cell) : sql`coalesce(${value(cell)}, ${empty})`
    const exact = `${column}_exact`
    return [
      sql`${stored} AS ${name(column)}`,
      ...(exact in resource.columns ? [sql`${cell} AS ${name(exact)}`] : []),
    ]
  })
}

export function expectedIn(resource: Resource, column: string): string {
  return kindOf(resource, column).expected
}
