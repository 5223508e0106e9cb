import { camelCase } from '../../../base/values/camel-case.ts'
import type { Kind, ListShape } from '../../../catalog/column.ts'
import type { Derivation, Member, Members } from '../../../catalog/members.ts'
import { memberColumns } from '../../../catalog/records/member.ts'
import { memberMeaning } from '../../../catalog/records/member-meaning.ts'
import type { Resource } from '../../../catalog/resource.ts'

/** Scalars of the schema, the custom ones included. */
export type Scalar = 'String' | 'Boolean' | 'BigInt' | 'Float' | 'ISO8601DateTime' | 'Binary' | 'JSON'

/** Type of a field: a scalar, a list of strings, or a list of objects. */
export type FieldType = Scalar | 'StringList' | ListShape

/** A field of a node or of a variant, as plain data. */
export interface NodeField {
  readonly name: string
  readonly doc: string
  readonly type: FieldType
  readonly member: Member
  /** Columns behind the field. */
  readonly columns: readonly string[]
  /** True if the value also depends on the manifest of the row. */
  readonly needsManifest: boolean
}

const scalars: Readonly<Record<Exclude<Kind, 'json'>, FieldType>> = {
  text: 'String',
  choice: 'String',
  amount: 'BigInt',
  long: 'BigInt',
  whole: 'BigInt',
  integer: 'BigInt',
  decimal: 'Float',
  instant: 'ISO8601DateTime',
  seconds: 'BigInt',
  cell: 'BigInt',
  uuid: 'String',
  boolean: 'Boolean',
  bytes: 'Binary',
  texts: 'StringList',
  object: 'JSON',
}

const derived: Readonly<Record<Derivation, { readonly type: Scalar; readonly needsManifest: boolean }>> = {
  formatted: { type: 'String', needsManifest: true },
  offloaded_bytes: { type: 'BigInt', needsManifest: true },
  number: { type: 'Float', needsManifest: false },
  truncated: { type: 'BigInt', needsManifest: false },
}

/** Converts members of a resource to fields. */
export function graphqlFields(resource: Resource, members: Members): readonly NodeField[] {
  return Object.entries(members).map(([name, member]) => ({
    name: camelCase(name),
    doc: memberMeaning(resource, member, camelCase),
    type: typeOf(resource, member),
    member,
    columns: memberColumns(member),
    needsManifest: typeof member !== 'string' && derived[member.derive].needsManifest,
  }))
}

function typeOf(resource: Resource, member: Member): FieldType {
  if (typeof member !== 'string') return derived[member.derive].type
  const column = resource.columns[member]
  if (column === undefined) throw new Error(`${resource.name} has no column ${member}`)
  if (column.kind !== 'json') return scalars[column.kind]
  if (column.shape === undefined) throw new Error(`${resource.name}.${member} has no shape`)
  return column.shape
}

/** Returns the name of a totals or series field, such as `iotRewardShareTotals`. */
export function sumsFieldName({ name }: Resource, sums: 'totals' | 'series'): string {
  return camelCase(`${name.replace(/s$/, '')}_${sums}`)
}

/** Returns the name of its type, such as `IotRewardShareTotals`. */
export function sumsTypeName({ name }: Resource, sums: 'totals' | 'series'): string {
  return camelCase(`_${name.replace(/s$/, '')}_${sums}`)
}
