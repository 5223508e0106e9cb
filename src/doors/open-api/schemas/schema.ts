import { isList, isObject, type Json, type JsonObject } from '../../../base/values/json-writer.ts'

/** JSON Schema 2020-12, as in OpenAPI 3.1. */
export type Schema = JsonObject

/** Schema of an object with exactly these members; `T` is the type of the object. */
export function exactly<T = Readonly<Record<string, unknown>>>(
  members: { readonly [Name in keyof T]-?: Schema },
  description?: string,
): Schema {
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties: members,
    required: Object.keys(members),
    additionalProperties: false,
  }
}

/** Returns a part of a schema that is an object: a schema, or schemas by name. */
export const schemaIn = (part: Json | undefined): Schema => (isObject(part) ? part : {})

/** Schemas of common members, with their meaning. */
export const textSchema = (description: string): Schema => ({ type: 'string', description })
export const booleanSchema = (description: string): Schema => ({ type: 'boolean', description })
export const countSchema = (description: string): Schema => ({
  ...{ type: 'integer', format: 'int32', minimum: 0 },
  description,
})
export const listSchema = (items: Schema, description: string): Schema => ({
  type: 'array',
  items,
  description,
})

/** Prepends a meaning to the description. */
export function described(schema: Schema, meaning: string): Schema {
  const description = [meaning, String(schema.description ?? '')].filter((text) => text !== '').join(' ')
  return description === '' ? schema : { ...schema, description }
}

/** Allows null. It drops the pattern, since generated clients cannot check it for null. */
export function orNull({ pattern, ...schema }: Schema): Schema {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(isList(schema.enum) && { enum: [...schema.enum, null] }),
  }
}

/** References a component. */
export function reference(
  section: 'schemas' | 'headers' | 'responses',
  name: string,
): { readonly $ref: string } {
  return { $ref: `#/components/${section}/${name}` }
}

/** `iot_reward_shares` -> `IotRewardShares`. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|_)([a-z\d])/g, (_, letter: string) => letter.toUpperCase())
}

/** Adds the member of coverage=true. */
export function withCoverage(schema: Schema): Schema {
  return {
    ...schema,
    properties: {
      ...(isObject(schema.properties) && schema.properties),
      coverage: described(reference('schemas', 'Coverage'), 'With coverage=true.'),
    },
  }
}

/** Form of 64-bit integers in a document: numbers, or the text of `integers=string`. */
export type IntegerForm = 'number' | 'string'

/** long: 64 bits with a sign. whole: from 0 to 2^63 - 1. amount: from 0 to 2^64 - 1. sum: from 0, of any size. cut: of any size. */
type IntegerRange = 'long' | 'whole' | 'amount' | 'sum' | 'cut'

const notes: Readonly<Partial<Record<IntegerRange, string>>> = {
  amount: 'Unsigned: up to 18446744073709551615 (2^64 - 1).',
  sum: 'Of any size, also beyond 64 bits.',
  cut: 'Of any size.',
}

const isSigned = (range: IntegerRange) => range === 'long' || range === 'cut'

/** Schema of an integer that `integers=string` turns into text. The format is always `int64`: generators know no wider one and default to 32 bits. */
export function integerSchema(form: IntegerForm, range: IntegerRange): Schema {
  const note = notes[range]
  return {
    ...(form === 'number' ? { type: 'integer', format: 'int64' } : digits(isSigned(range))),
    ...(form === 'number' && !isSigned(range) && { minimum: 0 }),
    ...(note !== undefined && { description: note }),
  }
}

function digits(signed: boolean): Schema {
  return { type: 'string', pattern: signed ? '^-?[0-9]+$' : '^[0-9]+$', examples: ['0'] }
}
