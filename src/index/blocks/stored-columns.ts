import { byStorage } from '../../catalog/by-storage.ts'
import type { Column, Kind } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import { type ColumnCodec, codecOf } from './column-codecs.ts'

/** A column as blocks store it. */
export interface StoredColumn {
  readonly name: string
  readonly column: Column
  readonly codec: ColumnCodec
  readonly as: Form
}

/**
 * Encodings of values as 64-bit numbers. unsigned: the number. signed: zigzag, the lowest bit is the sign. text: the
 * number of a text in the file. either: a token times two, or the number of a text times two plus one.
 */
type Form = 'unsigned' | 'signed' | 'text' | 'either'

const forms: Readonly<Record<Kind, Form>> = {
  ...byStorage<Form>({
    ...{ text: 'text', bytes: 'text', texts: 'text', decimal: 'either' },
    ...{ amount: 'unsigned', boolean: 'unsigned', long: 'signed', integer: 'signed', instant: 'signed' },
  }),
  choice: 'either',
}

/** Returns the stored form of a column. */
export function toStoredColumn(name: string, column: Column): StoredColumn {
  return { name, column, codec: codecOf(column), as: forms[column.kind] }
}

export function toStoredColumns({ columns }: Resource): readonly StoredColumn[] {
  return Object.entries(columns).map(([name, column]) => toStoredColumn(name, column))
}

/** Describes the storage of each column of a table. Blocks with other descriptions are ignored. */
export function describeStored(resource: Resource): readonly string[] {
  return toStoredColumns(resource).map(({ name, column: { kind, choices = [] } }) =>
    [name, kind, ...choices].join(' '),
  )
}
