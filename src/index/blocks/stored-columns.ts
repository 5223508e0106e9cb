import type { Column, Kind } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import { type ColumnCodec, codecOf } from './column-codecs.ts'

/** A column that blocks have. */
export interface StoredColumn {
  readonly name: string
  readonly column: Column
  readonly codec: ColumnCodec
  readonly as: Form
}

/**
 * How values become numbers of 64 bits. unsigned: they are some. signed: the sign becomes the lowest bit. text: the number of a text
 * in the file. either: the number of a text times two and one, or a token times two.
 */
type Form = 'unsigned' | 'signed' | 'text' | 'either'

const forms: Readonly<Record<Kind, Form>> = {
  text: 'text',
  choice: 'either',
  amount: 'unsigned',
  long: 'signed',
  whole: 'signed',
  integer: 'signed',
  decimal: 'either',
  instant: 'signed',
  seconds: 'signed',
  cell: 'signed',
  uuid: 'text',
  boolean: 'unsigned',
  bytes: 'text',
  texts: 'text',
  json: 'text',
  object: 'text',
}

/** A column as blocks have it. */
export function toStoredColumn(name: string, column: Column): StoredColumn {
  return { name, column, codec: codecOf(column), as: forms[column.kind] }
}

export function toStoredColumns({ columns }: Resource): readonly StoredColumn[] {
  return Object.entries(columns).map(([name, column]) => toStoredColumn(name, column))
}

/** Describes how each column of a table is stored. Blocks with other descriptions are not used. */
export function describeStored(resource: Resource): readonly string[] {
  return toStoredColumns(resource).map(({ name, column: { kind, choices = [] } }) =>
    [name, kind, ...choices].join(' '),
  )
}
