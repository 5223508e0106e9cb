import { isList, isObject, type Json, type JsonObject } from '../../base/values/json-writer.ts'
import type { OpenApiDocument } from '../open-api/paths/document-types.ts'

/** Converts a document to OpenAPI 3.0, whose schemas use an older JSON Schema with `nullable`. */
export function inVersion30({ info, components, ...document }: OpenApiDocument): JsonObject {
  const { summary: _, ...infoOf30 } = info
  const { url } = document.externalDocs
  const { schemas, ...parts } = components
  return {
    ...objectOf(convert(document)),
    openapi: '3.0.3',
    externalDocs: {
      ...document.externalDocs,
      url: String(url).replace('/openapi.json', '/openapi-3.0.json'),
    },
    info: infoOf30,
    components: { ...objectOf(convert(parts)), schemas: mapMembers(schemas, schemaOf) },
  }
}

const objectOf = (value: Json): JsonObject => (isObject(value) ? value : {})

function mapMembers(members: JsonObject, convertOne: (member: Json) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, member = null]) => [name, convertOne(member)]),
  )
}

/** Converts everything except schemas. */
function convert(value: Json): Json {
  if (isList(value)) return value.map(convert)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member = null]) => {
      if (name === 'schema') return [name, schemaOf(member)]
      // In 3.0 only OAuth schemes have scopes.
      if (name === 'security' && isList(member))
        return [name, member.map((one) => mapMembers(objectOf(one), () => []))]
      return [name, name === 'example' || name === 'examples' ? member : convert(member)]
    }),
  )
}

const isNull = (schema: Json) => isObject(schema) && schema.type === 'null'

/** Keywords with a list of schemas, and with one schema. */
const lists = ['anyOf', 'oneOf', 'allOf']
const single = ['items', 'additionalProperties']

function schemaOf(value: Json): Json {
  if (!isObject(value)) return value
  const { $ref, const: only, examples, contentEncoding, contentMediaType: _, type, ...rest } = value
  if (typeof $ref === 'string') return referenceOf($ref, rest)
  const [example] = isList(examples) ? examples : []
  const schema: JsonObject = {
    ...typeOf(type),
    ...Object.fromEntries(
      Object.entries(rest).map(([name, member = null]) => {
        if (single.includes(name)) return [name, schemaOf(member)]
        if (name === 'properties') return [name, mapMembers(objectOf(member), schemaOf)]
        return [name, member]
      }),
    ),
    ...(only !== undefined && { enum: [only] }),
    ...(example !== undefined && { example }),
    ...(contentEncoding === 'base64' && { format: 'byte' }),
  }
  return lists.reduce(withAlternatives, schema)
}

/** Converts alternatives. A null alternative becomes `nullable`, which needs a type: referenced schemas are objects. */
function withAlternatives(schema: JsonObject, keyword: string): JsonObject {
  const { [keyword]: alternatives, ...rest } = schema
  if (!isList(alternatives)) return schema
  const schemas = alternatives.filter((one) => !isNull(one)).map(schemaOf)
  if (schemas.length === alternatives.length) return { ...rest, [keyword]: schemas }
  const [only, ...more] = schemas.map(objectOf)
  if (only !== undefined && more.length === 0 && only.$ref === undefined)
    return { ...only, ...rest, nullable: true }
  // In 3.0.3 one alternative must be nullable too; generators ignore `nullable` beside a single reference.
  const nullable = schemas.map((one) => (isReference(one) ? one : { ...objectOf(one), nullable: true }))
  return { ...rest, type: 'object', nullable: true, [more.length === 0 ? 'allOf' : keyword]: nullable }
}

const isReference = (schema: Json) => isObject(schema) && schema.$ref !== undefined

/** A 3.0 reference cannot have other members. */
function referenceOf($ref: string, members: JsonObject): JsonObject {
  return Object.keys(members).length === 0 ? { $ref } : { ...members, allOf: [{ $ref }] }
}

/** Converts a list of a type and null to `nullable`. */
function typeOf(type: Json | undefined): JsonObject {
  if (type === undefined) return {}
  if (!isList(type)) return { type }
  const [only, ...more] = type.filter((one) => one !== 'null')
  if (only === undefined || more.length > 0) throw new Error(`no type of OpenAPI 3.0: ${type.join(', ')}`)
  return { type: only, ...(type.includes('null') && { nullable: true }) }
}
