import { GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString, printSchema } from 'graphql'
import { fail } from '../../../base/errors.ts'
import type { Resource } from '../../../catalog/resource.ts'
import type { GraphqlContext } from '../request/context.ts'
import { connectionField, type RowForm } from './connection-field.ts'
import { withGraphql } from './graphql-face.ts'
import { sumsFieldName } from './graphql-fields.ts'
import { NodeTypes } from './node-types.ts'
import { searchField } from './search-field.ts'
import { seriesField } from './series-field.ts'
import { totalsField } from './totals-field.ts'

const schemas: Readonly<Record<RowForm, WeakMap<readonly Resource[], GraphQLSchema>>> = {
  objects: new WeakMap(),
  text: new WeakMap(),
}

/**
 * Builds the schema: a connection, totals and a series for each resource that declares them.
 * Servers of a process share it. In the form `text`, for queries of `isRowsQuery`, `nodes` is JSON text.
 */
export function graphqlSchemaOf(resources: readonly Resource[], form: RowForm = 'objects'): GraphQLSchema {
  const schema = schemas[form].get(resources) ?? buildGraphqlSchema(resources, form)
  schemas[form].set(resources, schema)
  return schema
}

function buildGraphqlSchema(resources: readonly Resource[], form: RowForm): GraphQLSchema {
  const nodeTypes = new NodeTypes()
  const connections = resources
    .map(withGraphql)
    .filter((resource) => resource !== undefined)
    .map((resource) => [resource.graphql.query, connectionField(resource, nodeTypes, form)] as const)
  const series = resources
    .filter((resource) => resource.series !== undefined)
    .map((resource) => [sumsFieldName(resource, 'series'), seriesField(resource)] as const)
  const totals = resources
    .filter((resource) => resource.rest?.totals !== undefined)
    .map((resource) => [sumsFieldName(resource, 'totals'), totalsField(resource)] as const)
  return new GraphQLSchema({
    query: new GraphQLObjectType<unknown, GraphqlContext>({
      name: 'Query',
      fields: {
        status: {
          type: new GraphQLNonNull(GraphQLString),
          description: 'Always "ok": the server answers.',
          resolve: () => 'ok',
        },
        echo: {
          type: new GraphQLNonNull(GraphQLString),
          description: 'Gives the message back as it is.',
          args: { message: { type: new GraphQLNonNull(GraphQLString) } },
          resolve: (_root, { message }: { message: string }) => echo(message),
        },
        search: searchField,
        ...Object.fromEntries([...connections, ...totals, ...series]),
      },
    }),
  })
}

/** A query can select `echo` under thirty aliases, so longer texts would give responses of megabytes. */
const LONGEST_ECHO = 100_000

function echo(message: string): string {
  if (message.length <= LONGEST_ECHO) return message
  const sentence = `message has ${message.length} characters; the limit is ${LONGEST_ECHO}.`
  return fail('malformed_request', sentence)
}

/** Writes the schema in the schema definition language. */
export function graphqlSchemaText(resources: readonly Resource[]): string {
  return `${printSchema(graphqlSchemaOf(resources))}\n`
}
