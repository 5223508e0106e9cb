import { type Column, long } from '../catalog/column.ts'
import type { Resource } from '../catalog/resource.ts'

/** A table in the state folder made from one of the lake, and sorted by another column first. */
export interface SortedTable {
  readonly column: string
  /** copy: all columns of the rows that have a value; pointers: each value with the leading values of the rows that have it. */
  readonly as: 'copy' | 'pointers'
  readonly resource: Resource
}

export function sortedTablesOf(resource: Resource): readonly SortedTable[] {
  const { copies = [], pointers = [] } = resource.access ?? {}
  return [
    ...copies.map((column): SortedTable => ({ column, as: 'copy', resource: copyOf(resource, column) })),
    ...pointers.map(
      (column): SortedTable => ({ column, as: 'pointers', resource: pointersOf(resource, column) }),
    ),
  ]
}

function copyOf(resource: Resource, column: string): Resource {
  const { bounds = [], counts = [], ...more } = resource.access ?? {}
  return {
    ...resource,
    order: [{ column }, ...resource.order.filter((step) => step.column !== column)],
    access: { ...more, bounds: [...new Set([column, ...bounds])], counts, copies: [], pointers: [] },
  }
}

/** The column that the order of a table begins with. */
export function leadingColumn({ order }: Resource): string {
  return order[0]?.column ?? ''
}

/** The number of the first row that a pointer leads to, in its file: where to look for it first. */
export const FIRST_ROW = 'first_row'

/** A lookup decodes a whole chunk of pointers, so chunks are small. */
const POINTERS_IN_CHUNK = 8192

/** The distinct pairs of a value of the column and a value of the leading column, with the first row of each. */
function pointersOf(resource: Resource, column: string): Resource {
  const leading = leadingColumn(resource)
  const columns = {
    [column]: columnOf(resource, column),
    [leading]: columnOf(resource, leading),
    [FIRST_ROW]: long('Number of the first row in its file.'),
  }
  return {
    name: `${resource.name}_by_${column}`,
    doc: `Where ${column} occurs in ${resource.name}.`,
    columns,
    order: [{ column }, { column: leading }],
    partition: null,
    access: { bounds: [column], counts: [], copies: [], pointers: [], chunkRows: POINTERS_IN_CHUNK },
  }
}

function columnOf({ columns, name }: Resource, column: string): Column {
  const known = columns[column]
  if (known === undefined) throw new Error(`${name} has no column ${column}`)
  return known
}
