import { isList, isObject, type JsonObject } from '../../../base/values/json-writer.ts'

/** JSON Schema 2020-12, as in OpenAPI 3.1. */
export type Schema = JsonObject

/** Schema of an object with exactly these members. */
export function exactly(members: Readonly<Record<string, Schema>>, description?: string): Schema {
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties: members,
    required: Object.keys(members),
    additionalProperties: false,
  }
}

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
