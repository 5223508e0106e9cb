import { type Column, long } from '../catalog/column.ts'
import type { Resource } from '../catalog/resource.ts'

/** An order, other than that of its data files, in which a table has an index. */
export interface ColumnOrder {
  /** The column that rows are sorted by first. Rows without a value in it are left out. */
  readonly column: string
  /** copy: all columns of the rows; pointers: each value with the values of the leading column of the rows that have it. */
  readonly as: 'copy' | 'pointers'
  /** The rows of the index, in its order. */
  readonly resource: Resource
}

const cached = new WeakMap<Resource, readonly ColumnOrder[]>()

export function columnOrdersOf(resource: Resource): readonly ColumnOrder[] {
  const orders = cached.get(resource) ?? makeOrders(resource)
  cached.set(resource, orders)
  return orders
}

function makeOrders(resource: Resource): readonly ColumnOrder[] {
  const { copies = [], pointers = [] } = resource.access ?? {}
  return [
    ...pointers.map(
      (column): ColumnOrder => ({ column, as: 'pointers', resource: pointersOf(resource, column) }),
    ),
    ...copies.map((column): ColumnOrder => ({ column, as: 'copy', resource: sortedBy(resource, column) })),
  ]
}

/** A table whose rows are sorted by a column first. */
export function sortedBy(resource: Resource, column: string): Resource {
  return { ...resource, order: [{ column }, ...resource.order.filter((step) => step.column !== column)] }
}

/** The column that the order of a table begins with. */
export function leadingColumn({ order }: Resource): string {
  return order[0]?.column ?? ''
}

/** The number of the first row that a pointer leads to, in its file: where to look for it first. */
export const FIRST_ROW = 'first_row'

/** The distinct pairs of a value of the column and a value of the leading column, with the first row of each. */
function pointersOf(resource: Resource, column: string): Resource {
  const leading = leadingColumn(resource)
  return {
    name: resource.name,
    doc: `Where ${column} occurs in ${resource.name}.`,
    columns: {
      [column]: columnOf(resource, column),
      [leading]: columnOf(resource, leading),
      [FIRST_ROW]: long('Number of the first row in its file.'),
    },
    order: [{ column }, { column: leading }],
    partition: null,
  }
}

function columnOf({ columns, name }: Resource, column: string): Column {
  const declared = columns[column]
  if (declared === undefined) throw new Error(`${name} has no column ${column}`)
  return declared
}
