import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
} from 'graphql'

/** A name of the schema and where it stands. */
export interface Found {
  readonly type: string
  /** The field of the type, when the name is that of a field or of one of its arguments. */
  readonly field?: string
  readonly argument?: string
}

const MOST = 50

/** At most 50 names that contain a text, ignoring case: prefix matches first, types before fields before arguments. */
export function findInSchema(schema: GraphQLSchema, text: string): readonly Found[] {
  const sought = text.trim().toLowerCase()
  if (sought === '') return []
  const named = namesOf(schema).flatMap((found) => {
    const at = nameOf(found).toLowerCase().indexOf(sought)
    return at < 0 ? [] : [{ found, rank: (at === 0 ? 0 : 3) + kindOf(found) }]
  })
  return named
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ found }) => found)
}

/** How a place in the schema is written: `Type`, `Type.field` or `Type.field(argument)`. */
export function placeText({ type, field, argument }: Found): string {
  const path = field === undefined ? type : `${type}.${field}`
  return argument === undefined ? path : `${path}(${argument})`
}

/** The fields of a type that has some, in their order. */
export function fieldsOf(type: GraphQLNamedType): readonly Field[] {
  const hasFields = isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
  return hasFields ? Object.values(type.getFields()) : []
}

/** A field of an object, or of an input. */
export type Field = GraphQLField<unknown, unknown> | GraphQLInputField

/** The arguments of a field. */
export const fieldArguments = (field: Field): readonly GraphQLArgument[] =>
  'args' in field ? field.args : []

function namesOf(schema: GraphQLSchema): readonly Found[] {
  const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type))
  return types.flatMap((type) => [
    { type: type.name },
    ...fieldsOf(type).flatMap((field) => [
      { type: type.name, field: field.name },
      ...fieldArguments(field).map((argument) => ({
        ...{ type: type.name, field: field.name },
        argument: argument.name,
      })),
    ]),
  ])
}

const nameOf = ({ type, field, argument }: Found) => argument ?? field ?? type

const kindOf = ({ field, argument }: Found) => (argument !== undefined ? 2 : field !== undefined ? 1 : 0)
