import { isList, type JsonObject } from '../../../base/values/json-writer.ts'

/** A JSON Schema of 2020-12, as OpenAPI 3.1 has it. */
export type Schema = JsonObject

/** An object that has all of these members and no others. */
export function exactly(members: Readonly<Record<string, Schema>>, description?: string): Schema {
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties: members,
    required: Object.keys(members),
    additionalProperties: false,
  }
}

/** The schema with a meaning, which comes before what it says itself. */
export function described(schema: Schema, meaning: string): Schema {
  const description = [meaning, String(schema.description ?? '')].filter((text) => text !== '').join(' ')
  return description === '' ? schema : { ...schema, description }
}

/** The same schema, or null. Generated clients cannot check a pattern of a text that may be null, so it has none. */
export function orNull({ pattern, ...schema }: Schema): Schema {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(isList(schema.enum) && { enum: [...schema.enum, null] }),
  }
}

/** A schema, parameter, header or reply among the components of the document. */
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

/** A reply that has a member more with coverage=true. */
export function withCoverage(schema: Schema): Schema {
  const properties = schema.properties as Readonly<Record<string, Schema>>
  return {
    ...schema,
    properties: {
      ...properties,
      coverage: described(reference('schemas', 'Coverage'), 'With coverage=true.'),
    },
  }
}
