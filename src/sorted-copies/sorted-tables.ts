import type { Column } from '../catalog/column.ts'
import type { Resource } from '../catalog/resource.ts'

/** Tables in the state folder that follow from a table of the lake. Each is sorted by one more column first. */
export interface SortedTable {
  readonly column: string
  /** copy: every column of the rows that have a value; pointers: where in the order of the table a value occurs. */
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

/** A lookup decodes one chunk of them before it knows where to look. */
const POINTERS_IN_CHUNK = 8192

/** Each value of a column with each value of the leading column that it occurs with, once. */
function pointersOf(resource: Resource, column: string): Resource {
  const leading = leadingColumn(resource)
  const columns = { [column]: columnOf(resource, column), [leading]: columnOf(resource, leading) }
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
