import { isList, isObject, type Json } from '../../../base/values/json-writer.ts'
import type { Schema } from './schema.ts'

type Schemas = Readonly<Record<string, Schema>>

/** Generates a value that a schema accepts, from the first alternative. */
export function formOf(described: Json | undefined, schemas: Schemas): Json {
  const schema = isObject(described) ? described : {}
  const { $ref, examples, enum: choices, type, minimum = 0, format } = schema
  if (typeof $ref === 'string') return formOf(schemas[$ref.split('/').at(-1) ?? ''], schemas)
  const [chosen] = listOf(schema.oneOf ?? schema.anyOf)
  if (chosen !== undefined) return formOf(chosen, schemas)
  const [given] = listOf(schema.const === undefined ? (examples ?? choices) : [schema.const])
  if (given !== undefined) return given
  const [first] = listOf(type)
  switch (first ?? type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(isObject(schema.properties) ? schema.properties : {}).map(([name, own]) => [
          name,
          formOf(own, schemas),
        ]),
      )
    case 'array':
      return [formOf(schema.items, schemas)]
    case 'string':
      return format === 'uuid' ? '00000000-0000-8000-8000-000000000000' : '…'
    case 'boolean':
      return false
    default:
      return minimum
  }
}

function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : []
}
