import { getOrMake } from '../base/maps.ts'
import { type Column, long } from '../catalog/column.ts'
import type { Resource } from '../catalog/resource.ts'

/** A sort order of an index, other than file order. */
export interface ColumnOrder {
  /** The leading column. Rows without a value in it are left out. */
  readonly column: string
  /** rows: whole rows. pointers: distinct pairs of the column and the leading column of the table. */
  readonly as: 'rows' | 'pointers'
  /** Declares the rows of the index and their order. */
  readonly resource: Resource
}

const cached = new WeakMap<Resource, readonly ColumnOrder[]>()

export function listColumnOrders(resource: Resource): readonly ColumnOrder[] {
  return getOrMake(cached, resource, () => makeOrders(resource))
}

function makeOrders(resource: Resource): readonly ColumnOrder[] {
  const { sorted = [], pointers = [] } = resource.access ?? {}
  return [
    ...pointers.map(
      (column): ColumnOrder => ({ column, as: 'pointers', resource: pointersOf(resource, column) }),
    ),
    ...sorted.map((column): ColumnOrder => ({ column, as: 'rows', resource: sortedBy(resource, column) })),
  ]
}

/** Returns the same table sorted by a column first. */
export function sortedBy(resource: Resource, column: string): Resource {
  return { ...resource, order: [{ column }, ...resource.order.filter((step) => step.column !== column)] }
}

export function leadingColumn({ order }: Resource): string {
  return order[0]?.column ?? ''
}

/** The number of the first row of a pointer in its data file. */
export const FIRST_ROW = 'first_row'

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
