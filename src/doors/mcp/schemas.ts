import { writeJson } from '../../base/values/json-writer.ts'
import type { RestOperation } from '../contract/operations.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { styleOf } from '../documents/style-of.ts'
import type { Described } from '../open-api/paths/document-types.ts'
import { parametersFor } from '../open-api/paths/parameters.ts'
import type { Schema } from '../open-api/schemas/schema.ts'
import { MOST_ROWS, ROWS } from './arguments.ts'

/** REST parameters that tools replace by their own. */
const replacedParameters = ['page', 'per_page', 'integers']

export const rowArguments: Readonly<Record<string, Schema>> = {
  rows: {
    type: 'integer',
    ...{ minimum: 1, maximum: MOST_ROWS, default: ROWS },
    description: 'The most rows of the reply.',
  },
  cursor: {
    type: 'string',
    description:
      'next.cursor of a reply, to go on with the row behind its last; all other arguments stay the same.',
  },
}

/** Returns the schema of a tool's arguments; other arguments are refused. */
export function argumentsOf(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): Schema {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** Parameters of an operation as tool arguments, by name. */
export function parametersOfTool(operation: RestOperation, dialect: Dialect): ReadonlyMap<string, Described> {
  const example = { parameters: {}, reply: {} }
  const parameters = parametersFor(operation, styleOf(dialect, 'string'), example)
  return new Map(
    parameters.filter(({ name }) => !replacedParameters.includes(name)).map((own) => [own.name, own]),
  )
}

interface Use {
  readonly resource: string
  readonly described: Described
}

/**
 * Merges the arguments of all resources into one schema, since some clients do not support `oneOf`. A
 * description names the resources that take the argument.
 */
export function mergedArguments(
  byResource: ReadonlyMap<string, ReadonlyMap<string, Described>>,
): Readonly<Record<string, Schema>> {
  const uses = new Map<string, Use[]>()
  for (const [resource, parameters] of byResource)
    for (const [name, described] of parameters)
      uses.set(name, [...(uses.get(name) ?? []), { resource, described }])
  return Object.fromEntries([...uses].map(([name, own]) => [name, mergeUses(own, byResource.size)]))
}

function mergeUses(uses: readonly Use[], resources: number): Schema {
  const meanings = groupBy(uses, ({ described }) => described.description)
  const isOfAll = uses.length === resources && meanings.size === 1
  const texts = [...meanings].map(([meaning, own]) =>
    isOfAll ? meaning : `${own.map(({ resource }) => resource).join(', ')}: ${meaning}`,
  )
  const needing = uses.filter(({ described }) => described.required).map(({ resource }) => resource)
  const needed = needing.length === 0 ? [] : [`Required for ${needing.join(', ')}.`]
  const schemas = groupBy(uses, ({ described }) => writeJson(simplifySchema(described.schema)))
  const [first] = uses
  const schema =
    schemas.size === 1 && first !== undefined ? simplifySchema(first.described.schema) : { type: 'string' }
  return { ...schema, description: [...texts, ...needed].join(' ') }
}

export function schemaOf({ schema, description }: Described): Schema {
  return { ...simplifySchema(schema), description }
}

/** Removes patterns: they are long, models ignore them, and the check explains errors better. */
function simplifySchema({ pattern: _, ...schema }: Schema): Schema {
  const isYesOrNo = Array.isArray(schema.enum) && schema.enum.join() === 'true,false'
  return isYesOrNo ? { type: 'boolean', default: false } : schema
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
