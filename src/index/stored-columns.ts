import type { Column, Kind } from '../catalog/column.ts'
import type { Member, Nested } from '../catalog/members.ts'
import { namesOf, type Resource } from '../catalog/resource.ts'
import { type ColumnCodec, codecOf } from '../derive/column-codecs.ts'
import { memberColumns } from '../derive/member.ts'
import { recordColumns } from '../derive/record.ts'

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
export function storedColumn(name: string, column: Column): StoredColumn {
  return { name, column, codec: codecOf(column), as: forms[column.kind] }
}

/** The columns of a table that lists and lookups are answered from. Of reward shares that is less than all. */
export function storedColumns(resource: Resource): readonly StoredColumn[] {
  const wanted = resource.statistics === undefined ? undefined : answeredColumns(resource)
  return Object.entries(resource.columns).flatMap(([name, column]) =>
    wanted === undefined || wanted.has(name) ? [storedColumn(name, column)] : [],
  )
}

/** What records and nodes follow from, and what rows are ordered by. */
function answeredColumns(resource: Resource): ReadonlySet<string> {
  const { order, variants, graphql, key } = resource
  const fields = [graphql?.fields ?? {}, ...Object.values(graphql?.nested ?? {})]
  const members = fields.flatMap((own): readonly (Member | Nested)[] => Object.values(own))
  return new Set([
    ...order.map(({ column }) => column),
    ...recordColumns(resource, namesOf(variants?.cases ?? {})),
    ...members.flatMap((member) => (isMember(member) ? memberColumns(member) : [])),
    ...(key === undefined ? [] : [key]),
  ])
}

const isMember = (member: Member | Nested): member is Member =>
  typeof member === 'string' || !('members' in member)

/** What decides how the columns of a table are stored; blocks with other texts are not used. */
export function describeStored(resource: Resource): readonly string[] {
  return storedColumns(resource).map(({ name, column: { kind, choices = [] } }) =>
    [name, kind, ...choices].join(' '),
  )
}
