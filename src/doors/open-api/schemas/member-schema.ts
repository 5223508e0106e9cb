import type { Column, Kind, ListShape } from '../../../catalog/column.ts'
import type { Derivation, Member } from '../../../catalog/members.ts'
import { memberMeaning } from '../../../catalog/records/member-meaning.ts'
import type { Resource } from '../../../catalog/resource.ts'
import type { DocumentForms } from './reply-forms.ts'
import { described, exactly, integerSchema, orNull, type Schema } from './schema.ts'

/** Schemas of values in replies, by kind. */
const kinds: Readonly<Record<Kind, (forms: DocumentForms, column: Column, resource: Resource) => Schema>> = {
  text: () => ({ type: 'string' }),
  choice: (forms, { choices = [] }, { arrival }) =>
    arrival?.as === 'messages'
      ? openChoice(choices, forms)
      : { type: 'string', enum: choices.map(forms.choice) },
  amount: ({ integers }) => integerSchema(integers, 'amount'),
  long: ({ integers }) => integerSchema(integers, 'long'),
  whole: ({ integers }) => integerSchema(integers, 'whole'),
  integer: () => ({ type: 'integer', format: 'int32' }),
  decimal: () => ({ type: 'number', format: 'double' }),
  instant: ({ instant }) => instant,
  seconds: ({ integers }) => integerSchema(integers, 'whole'),
  cell: ({ integers }) => integerSchema(integers, 'whole'),
  uuid: () => ({ type: 'string', format: 'uuid' }),
  boolean: () => ({ type: 'boolean' }),
  bytes: () => ({ type: 'string', contentEncoding: 'base64' }),
  texts: (_forms, { choices }) => ({
    type: 'array',
    items: { type: 'string', ...(choices !== undefined && { enum: choices }) },
  }),
  json: (forms, { shape }) =>
    shape === undefined ? {} : { type: 'array', items: shapeSchema(shape, forms) },
  object: () => ({ type: 'object' }),
}

/** Open lists are plain text: generators turn alternatives into any value or a struct. */
function openChoice(choices: readonly string[], { choice }: DocumentForms): Schema {
  const names = choices.map(choice)
  return {
    type: 'string',
    examples: names.slice(0, 1),
    description: `Names so far: ${names.join(', ')}; a number without a name stands as its digits.`,
  }
}

function shapeSchema({ members }: ListShape, forms: DocumentForms): Schema {
  const types = {
    text: { type: 'string' },
    long: { type: 'integer', format: 'int64' },
    instant: forms.instant,
  } as const
  const schemas = Object.entries(members).map(([name, type]): [string, Schema] => [
    name,
    typeof type === 'string' ? types[type] : { type: 'array', items: shapeSchema(type, forms) },
  ])
  return exactly(Object.fromEntries(schemas))
}

/** Schemas of derived members, and whether they may be null if the column is not. */
const derivations: Readonly<
  Record<Derivation, (forms: DocumentForms) => { schema: Schema; mayLack: boolean }>
> = {
  formatted: () => ({
    schema: { type: 'string', examples: ['0.0011322'] },
    mayLack: true,
  }),
  offloaded_bytes: ({ integers }) => ({ schema: integerSchema(integers, 'sum'), mayLack: true }),
  number: () => ({ schema: { type: 'number', format: 'double' }, mayLack: false }),
  truncated: ({ truncated, integers }) => ({
    schema: truncated ?? integerSchema(integers, 'cut'),
    mayLack: false,
  }),
}

function columnSchema(resource: Resource, name: string, forms: DocumentForms): Schema {
  const column = resource.columns[name]
  if (column === undefined) throw new Error(`${resource.name} has no column ${name}`)
  return kinds[column.kind](forms, column, resource)
}

/** Schema of a member; `mayLack` returns whether a column may be null. */
export function memberSchema(
  resource: Resource,
  member: Member,
  forms: DocumentForms,
  mayLack: (column: string) => boolean,
): Schema {
  const meaning = memberMeaning(resource, member)
  if (typeof member === 'string') {
    const schema = columnSchema(resource, member, forms)
    return described(mayLack(member) ? orNull(schema) : schema, meaning)
  }
  const derived = derivations[member.derive](forms)
  const isNullable = derived.mayLack || mayLack(member.of)
  return described(isNullable ? orNull(derived.schema) : derived.schema, meaning)
}
