import { writeJson } from '../../base/values/json-writer.ts'
import type { RestOperation } from '../contract/operations.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { styleOf } from '../documents/style-of.ts'
import type { Described } from '../open-api/paths/document-types.ts'
import { parametersFor } from '../open-api/paths/parameters.ts'
import type { Schema } from '../open-api/schemas/schema.ts'
import { MOST_ROWS, ROWS } from './arguments.ts'

/** What a reply is paged and written by in its own way. */
const replaced = ['page', 'per_page', 'integers']

/** Arguments of tools that give rows. */
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

/** An object of arguments; others are refused by name. */
export function argumentsOf(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): Schema {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** The parameters that an operation takes as arguments of a tool, by name. */
export function parametersOfTool(operation: RestOperation, dialect: Dialect): ReadonlyMap<string, Described> {
  const example = { parameters: {}, reply: {} }
  const parameters = parametersFor(operation, styleOf(dialect, 'string'), example)
  return new Map(parameters.filter(({ name }) => !replaced.includes(name)).map((own) => [own.name, own]))
}

interface Use {
  readonly resource: string
  readonly described: Described
}

/**
 * One schema for all resources: clients of some models accept no choice of schemas. An argument says which resources take it, where not
 * all do; where it means several things, all of them.
 */
export function mergedArguments(
  byResource: ReadonlyMap<string, ReadonlyMap<string, Described>>,
): Readonly<Record<string, Schema>> {
  const uses = new Map<string, Use[]>()
  for (const [resource, parameters] of byResource)
    for (const [name, described] of parameters)
      uses.set(name, [...(uses.get(name) ?? []), { resource, described }])
  return Object.fromEntries([...uses].map(([name, own]) => [name, merged(own, byResource.size)]))
}

function merged(uses: readonly Use[], resources: number): Schema {
  const meanings = groupedBy(uses, ({ described }) => described.description)
  const isOfAll = uses.length === resources && meanings.size === 1
  const texts = [...meanings].map(([meaning, own]) =>
    isOfAll ? meaning : `${own.map(({ resource }) => resource).join(', ')}: ${meaning}`,
  )
  const needing = uses.filter(({ described }) => described.required).map(({ resource }) => resource)
  const needed = needing.length === 0 ? [] : [`Required for ${needing.join(', ')}.`]
  const schemas = groupedBy(uses, ({ described }) => writeJson(plain(described.schema)))
  const [first] = uses
  const schema =
    schemas.size === 1 && first !== undefined ? plain(first.described.schema) : { type: 'string' }
  return { ...schema, description: [...texts, ...needed].join(' ') }
}

/** The schema of one argument. */
export function schemaOf({ schema, description }: Described): Schema {
  return { ...plain(schema), description }
}

/** Without what the check of the argument says better: patterns are long, and few models keep to them. */
function plain({ pattern: _, ...schema }: Schema): Schema {
  const isYesOrNo = Array.isArray(schema.enum) && schema.enum.join() === 'true,false'
  return isYesOrNo ? { type: 'boolean', default: false } : schema
}

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
