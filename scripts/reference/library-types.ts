import { camelCase } from '../../src/base/values/camel-case.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import { operationsOf, type RestOperation } from '../../src/doors/contract/operations.ts'
import { type Declaration, textsOf } from './declarations.ts'

/** Writes src/services/library/tables.ts and wire-names.ts: types of records and parameters, and what JSON does not say of them, from the OpenAPI document. */

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: boolean | Schema
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description: string
  readonly schema: Schema
}

interface ApiOperation {
  readonly operationId?: string
  readonly parameters?: readonly Parameter[]
  readonly responses: Readonly<
    Record<string, { readonly content?: Record<string, { readonly schema: Schema }> }>
  >
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Parameters that the library sets itself. */
const withoutName = new Set(['integers', 'as_of', 'page', 'per_page', 'id'])
/** Schemas of other protocols. */
const withoutTypes = new Set(['GraphqlRequest', 'GraphqlReply', 'ErrorReply', 'H3Cell'])
const instants = new Set(['from', 'to'])

export function libraryFiles(document: ApiDocument, resources: readonly Resource[]) {
  const [big, small, decimal, maps] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ]

  const { schemas } = document.components
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  const written = new Map<string, Declaration>()

  const apiOf = ({ id }: RestOperation) => operations.find(({ operationId }) => operationId === id)

  /** Writes the interface of a named schema, and those that it needs. */
  function named(reference: string): string {
    const name = reference.split('/').at(-1) ?? ''
    if (written.has(name)) return name
    const schema = schemas[name] ?? {}
    const doc = docOf(schema.description, '')
    written.set(name, { doc, variants: [] })
    const declaration =
      schema.oneOf === undefined
        ? { doc, members: membersOf(schema, '') }
        : { doc, variants: schema.oneOf.map((one) => typeOf(one, '')) }
    written.set(name, declaration)
    return name
  }

  function typeOf(schema: Schema, indent: string, name = ''): string {
    if (schema.$ref !== undefined) return named(schema.$ref)
    if (schema.const !== undefined) return quote(schema.const)
    if (schema.enum !== undefined) return schema.enum.map(quote).join(' | ')
    const variants = schema.oneOf ?? schema.anyOf
    if (variants !== undefined) return variants.map((one) => typeOf(one, indent, name)).join(' | ')
    const types = [schema.type ?? 'any'].flat()
    return types.map((type) => plainType(type, schema, indent, name)).join(' | ')
  }

  /** Notes the names of members of all schemas first: a name has one type wherever it stands. */
  function noteAll(schema: Schema, isOfPage: boolean): void {
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      note(camelCase(name), member, isOfPage)
      noteAll(member, isOfPage)
    }
    for (const one of [schema.items ?? {}, ...(schema.oneOf ?? [])])
      if (Object.keys(one).length > 0) noteAll(one, isOfPage)
  }

  /** Notes the names of members whose JSON does not say what they are. */
  function note(
    name: string,
    { type, format, items, properties, additionalProperties }: Schema,
    isOfPage: boolean,
  ): void {
    const types = [type, items?.type].flat()
    const isBig = (format ?? items?.format) === 'int64' && !isOfPage
    if (types.includes('integer')) (isBig ? big : small).add(name)
    if (types.includes('number')) decimal.add(name)
    const isMap = [type].flat().includes('object') && properties === undefined
    if (isMap && additionalProperties !== false) maps.add(name)
  }

  function plainType(type: string, schema: Schema, indent: string, name: string): string {
    if (type === 'integer') return big.has(name) ? 'bigint' : 'number'
    // Exact decimal text, which a double could not hold.
    if (type === 'number') return 'string'
    if (type === 'array') return `readonly ${grouped(typeOf(schema.items ?? {}, indent, name))}[]`
    if (type !== 'object') return type === 'any' ? 'unknown' : type
    const { properties, additionalProperties: rest } = schema
    if (properties === undefined)
      return `Readonly<Record<string, ${typeof rest === 'object' ? typeOf(rest, indent) : 'unknown'}>>`
    return `{\n${membersOf(schema, indent).join('\n')}\n${indent}}`
  }

  function membersOf({ properties = {}, required }: Schema, indent: string): readonly string[] {
    const inner = `${indent}  `
    return Object.entries(properties).map(([name, member]) => {
      const mark = required?.includes(name) ? '' : '?'
      const doc = docOf(member.description, inner)
      return `${doc}${inner}readonly ${camelCase(name)}${mark}: ${typeOf(member, inner, camelCase(name))}`
    })
  }

  function parametersOf(operation: RestOperation): Declaration {
    const given = (apiOf(operation)?.parameters ?? []).filter(
      (one) => one.in === 'query' && !withoutName.has(one.name),
    )
    const members = given.map(
      ({ name: parameter, description, schema }) =>
        `${docOf(description, '  ')}  readonly ${camelCase(parameter)}?: ${parameterType(parameter, schema)}`,
    )
    return { doc: '', members }
  }

  function parameterType(name: string, schema: Schema): string {
    if (instants.has(name)) return 'Instant'
    if (String(schema.enum) === 'true,false') return 'boolean'
    if (schema.type === 'integer') return 'number | bigint'
    return schema.enum === undefined ? 'string' : schema.enum.map(quote).join(' | ')
  }

  function recordOf(operation: RestOperation): string {
    const { schema = {} } = apiOf(operation)?.responses['200']?.content?.['application/json'] ?? {}
    if (operation.kind === 'find' || operation.kind === 'totals') return typeOf(schema, '')
    const list = Object.values(schema.properties ?? {}).find(({ type }) => type === 'array')
    return typeOf(list?.items ?? {}, '')
  }

  function metaOf(operation: RestOperation): string {
    const { schema = {} } = apiOf(operation)?.responses['200']?.content?.['application/json'] ?? {}
    return typeOf(schema.properties?.meta ?? {}, '')
  }

  const parameters = new Map<string, Declaration>()
  function faceOf(resource: Resource): string {
    const name = camelCase(resource.name)
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    const faces = operationsOf([resource]).map((operation) => {
      const record = recordOf(operation)
      if (operation.kind === 'find') return `WithFind<${record}>`
      const query = `${type}${{ list: '', totals: 'Totals', series: 'Series' }[operation.kind as string]}Query`
      parameters.set(query, parametersOf(operation))
      if (operation.kind === 'list') return `WithList<${record}, ${query}>`
      if (operation.kind === 'totals') return `WithTotals<${record}, ${query}>`
      return `WithSeries<${record}, ${metaOf(operation)}, ${query}>`
    })
    return `${docOf(resource.doc, '  ')}  readonly ${name}: ${faces.join(' & ')}`
  }

  for (const [name, schema] of Object.entries(schemas))
    if (!withoutTypes.has(name)) noteAll(schema, name === 'PageMeta')
  const listed = resources.filter(({ rest }) => rest !== undefined)
  const tables = listed.map(faceOf)
  for (const name of ['Status', 'Statement', 'SearchResult']) named(name)
  const paths = listed.flatMap((resource) =>
    operationsOf([resource]).map(
      ({ kind, path }) => `  ['${camelCase(resource.name)}', '${kind}', '${path}'],`,
    ),
  )
  const names = (set: ReadonlySet<string>) => `new Set([${[...set].sort().map(quote).join(', ')}])`
  return {
    'src/services/library/tables.ts': [
      head,
      "import type { Instant, WithFind, WithList, WithSeries, WithTotals } from './calls.ts'",
      `/** The tables of a lake. */\nexport interface Tables {\n${tables.join('\n')}\n}`,
      ...textsOf(parameters),
      ...textsOf(written),
    ],
    'src/services/library/wire-names.ts': [
      head,
      `/** Members that are bigints. */\nexport const bigintNames: ReadonlySet<string> = ${names(big)}`,
      `/** Members that are numbers: counts and small settings, never amounts. */\nexport const numberNames: ReadonlySet<string> = ${names(new Set([...small].filter((name) => !big.has(name))))}`,
      `/** Members that are decimals, kept as text. */\nexport const decimalNames: ReadonlySet<string> = ${names(decimal)}`,
      `/** Members whose own members have names of the data. */\nexport const mapNames: ReadonlySet<string> = ${names(maps)}`,
      `/** Table, kind and path of each operation. */\nexport const operations: readonly (readonly [table: string, kind: string, path: string])[] = [\n${paths.join('\n')}\n]`,
    ],
  }
}

const head = '// Written by `npm run reference` from the OpenAPI document. Change the catalog, not this file.'
const quote = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value))
const grouped = (type: string) => (type.includes(' ') ? `(${type})` : type)

function docOf(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`
}
